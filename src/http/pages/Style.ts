/** The pages' only stylesheet: system fonts, light and dark, readable on paper and on a telephone. */
export const STYLE = `:root {
  color-scheme: light dark;
  --text: light-dark(#1c1f23, #e4e6e9);
  --muted: light-dark(#59616b, #9aa3ad);
  --ground: light-dark(#fff, #14171a);
  --raised: light-dark(#f5f6f8, #1d2125);
  --line: light-dark(#dde1e6, #31373d);
  --accent: light-dark(#0b57d0, #8ab4f8);
  --good: light-dark(#14652f, #7fd396);
  --warn: light-dark(#8a4b00, #f3b562);
}
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--text); background: var(--ground); }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .75rem max(1rem, calc(50vw - 34rem)); border-bottom: 1px solid var(--line); background: var(--raised); }
header .name { font-weight: 650; color: var(--text); text-decoration: none; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav [aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
main { max-width: 68rem; margin: 0 auto; padding: 1rem 1rem 6rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.5rem 0 .75rem; }
h2 { font-size: 1.35rem; margin: 2.75rem 0 .5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0; font-weight: 600; }
h4 { font-size: .82rem; margin: 1.1rem 0 .35rem; color: var(--muted); text-transform: uppercase; letter-spacing: .04em; }
p, ul, ol { max-width: 46rem; margin: .5rem 0; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: .5rem; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .875em; }
code { overflow-wrap: anywhere; }
pre { padding: .75rem 1rem; overflow: auto; max-height: 28rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; line-height: 1.45; }
pre code { overflow-wrap: normal; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
@media (min-width: 60rem) { td:first-child code { white-space: nowrap; } }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-weight: 600; font-size: .82rem; }
td p { margin: 0; }
.route { margin: .75rem 0; border: 1px solid var(--line); border-radius: 6px; }
.route > summary { display: flex; flex-wrap: wrap; gap: .15rem .75rem; align-items: baseline; padding: .55rem .9rem; cursor: pointer; list-style-position: inside; }
.route[open] > summary { border-bottom: 1px solid var(--line); background: var(--raised); }
.route > div { padding: .5rem .9rem 1rem; }
.method { font: 700 .78rem ui-monospace, monospace; min-width: 3.6rem; color: var(--accent); }
.words { color: var(--muted); }
.right { font-size: .82rem; padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 999px; color: var(--warn); }
.open { color: var(--good); }
.members { list-style: none; padding-left: 1rem; border-left: 2px solid var(--line); max-width: none; }
.members li { margin: .3rem 0; }
.muted { color: var(--muted); }
.decide { display: flex; flex-wrap: wrap; gap: .6rem; }
.decide button { min-height: 2.75rem; padding: .45rem 1rem; font: inherit; color: var(--text); background: var(--ground); border: 1px solid var(--muted); border-radius: 6px; cursor: pointer; }
.decide #approve { font-weight: 600; color: var(--ground); background: var(--accent); border-color: var(--accent); }
.decide button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.decide button:disabled { opacity: .5; cursor: default; }
:target { scroll-margin-top: 4rem; background: color-mix(in srgb, var(--accent) 12%, transparent); }
@media print { header, .skip { display: none; } .scroll, pre { overflow: visible; max-height: none; } }
`
