/** What the plan page adds to the pages' stylesheet. */
export const PLAN_STYLE = `:root {
  --bad: light-dark(#a3121d, #ff9a94);
  --bad-ground: light-dark(#fdecec, #3a1517);
  --good-ground: light-dark(#e9f6ed, #12291a);
  --warn-ground: light-dark(#fdf3e3, #33240c);
}
#review h3 { font-size: 1rem; margin: 1.4rem 0 .35rem; }
#review section, dialog { margin: 1rem 0; padding: .25rem 1.1rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
#review h2, dialog > h2 { border-top: 0; margin: .6rem 0 .4rem; font-size: 1.2rem; overflow-wrap: anywhere; }
#review h2:focus, dialog h2:focus { outline: none; }
#review .first { margin: 1rem 0 .4rem; font-size: 1.45rem; line-height: 1.4; font-weight: 500; border: 0; padding: 0; }
#review .first code { font-size: .8em; }
.sentence { font-size: 1.1rem; line-height: 1.5; max-width: none; overflow-wrap: anywhere; }
.amount { font-weight: 680; }
.foreign { border: 1px dashed var(--warn); border-radius: 4px; padding: 0 .25rem; font-weight: 400; white-space: pre-wrap; display: inline-block; max-width: 100%; }
#review section > h3:first-child { margin-top: .8rem; }
#review .fine { background: var(--good-ground); border-color: var(--good); }
#review .fine h3 { color: var(--good); }
#review .bad { background: var(--bad-ground); border: 2px solid var(--bad); }
#review .bad li { color: var(--bad); font-weight: 650; }
#review .notice { background: var(--warn-ground); border-color: var(--warn); }
.status { color: var(--muted); margin: 0; }
.status:not(:empty) { padding: .4rem 0; }
dl { margin: 0; }
.row { display: grid; grid-template-columns: minmax(min-content, 13.5rem) minmax(0, 1fr); gap: 0 1rem; padding: .38rem .5rem; border-bottom: 1px solid var(--line); }
.row:last-child { border-bottom: 0; }
.row.group { grid-template-columns: minmax(0, 1fr); }
.row dt { color: var(--muted); overflow-wrap: normal; word-break: normal; hyphens: none; }
.row dd { margin: 0; overflow-wrap: anywhere; }
.inner { border-left: 2px solid var(--line); padding-left: .35rem; }
.arguments dt { color: var(--text); font-weight: 550; }
.type { color: var(--muted); font: .82rem ui-monospace, monospace; font-weight: 400; }
.row.key > dd { font-weight: 650; }
.row.good > dd { color: var(--good); }
.row.warning { background: var(--warn-ground); }
.row.danger { background: var(--bad-ground); }
.row.danger > dt, .row.danger > dd { color: var(--bad); font-weight: 650; }
.untrusted { border: 1px dashed var(--warn); border-radius: 4px; padding: 0 .3rem; font-weight: 400; white-space: pre-wrap; }
.untrusted bdi { font-family: ui-monospace, monospace; font-size: .9em; }
.mark { font-size: .72rem; color: var(--warn); margin-right: .4rem; text-transform: uppercase; letter-spacing: .04em; user-select: none; }
.number { color: var(--muted); font-weight: 500; }
.state { font-size: .8rem; font-weight: 500; padding: .1rem .6rem; border: 1px solid var(--line); border-radius: 999px; white-space: nowrap; }
.state.confirmed { color: var(--good); border-color: var(--good); }
.state.blocked, .state.unknown, .state.reorged { color: var(--warn); border-color: var(--warn); }
.state.reverted { color: var(--bad); border-color: var(--bad); }
.obstacle { color: var(--muted); font-style: italic; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0 .25rem; }
button, select, input, textarea { font: inherit; color: var(--text); background: var(--ground); border: 1px solid var(--muted); border-radius: 6px; padding: .45rem .8rem; }
button { cursor: pointer; min-height: 2.6rem; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--ground); font-weight: 600; }
button:disabled { opacity: .5; cursor: default; }
button:focus-visible, select:focus-visible, input:focus-visible, textarea:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.field { display: grid; gap: .2rem; margin: .6rem 0; }
.field label { color: var(--muted); font-size: .88rem; }
.field textarea { font: .85rem/1.4 ui-monospace, monospace; width: 100%; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0 1rem; }
.fields input { width: 100%; }
.done { margin-left: .6rem; color: var(--good); }
dialog { width: min(46rem, calc(100vw - 1.5rem)); max-height: calc(100vh - 1.5rem); overflow: auto; margin: auto; color: var(--text); background: var(--ground); }
dialog::backdrop { background: rgb(0 0 0 / .55); }
dialog .actions { position: sticky; bottom: -1rem; background: var(--ground); padding: .75rem 0 1rem; margin-bottom: -1rem; border-top: 1px solid var(--line); }
.folded > summary { color: var(--accent); min-height: 1.75rem; }
summary { cursor: pointer; margin: .8rem 0 .3rem; }
@media (max-width: 40rem) {
  .row { grid-template-columns: minmax(0, 1fr); }
  #review section, dialog { padding: .1rem .7rem .8rem; }
  .inner { padding-left: 0; }
}
`
