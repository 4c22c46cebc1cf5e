/** What to do where a wallet sent something else than the planned call. */
export const SENT_OTHERWISE =
  "Nothing was bound to the plan, and it may take effect on the chain all the same. See what it does before the step is sent again, and where it makes the planned call, with bytes behind it or within a batch, and succeeded, do not: the call was made. Else switch batches and smart-account features off in the wallet and choose the planned account."
