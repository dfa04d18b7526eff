/** The whole look of the page; everything on it works without it too. */
export const htmlStyle = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --ink: #1f2328; --faint: #626970; --line: #dcd9d3; --box: #f3f1ec;
  --you: #a3402f; --model: #0a6b52; --bad: #b3261e; --good: #0a6b52; --odd: #8a5a00;
  --c0: #1f2328; --c1: #b3261e; --c2: #1b6e3c; --c3: #7a5a00; --c4: #1f5fb0; --c5: #8a3a92;
  --c6: #0b6a75; --c7: #6b7178; --c8: #565c63; --c9: #c93a30; --c10: #22803f; --c11: #8a6500;
  --c12: #2b6fc4; --c13: #a04aa8; --c14: #0d7a86; --c15: #1f2328;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #e3e6ea; --faint: #99a1aa; --line: #30363d; --box: #1c2126;
    --you: #ff9a85; --model: #6fdcb4; --bad: #ff8a80; --good: #6fdcb4; --odd: #f0c060;
    --c0: #8b949e; --c1: #ff8a80; --c2: #7ee2a0; --c3: #e6c369; --c4: #82b5ff; --c5: #e29bea;
    --c6: #76d5e0; --c7: #c9d1d9; --c8: #99a1aa; --c9: #ffa79f; --c10: #9bf0b7; --c11: #f2d78b;
    --c12: #a3c9ff; --c13: #efb8f5; --c14: #98e6ef; --c15: #ffffff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 3rem 1.25rem 6rem; max-width: 48rem;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", sans-serif;
}
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: .9375rem; display: flex; gap: .75rem; align-items: baseline; }
header { padding-bottom: 1.5rem; border-bottom: 1px solid var(--line); }
.about, time { color: var(--faint); font-size: .8125rem; font-weight: 400; }
article { margin-top: 2rem; }
.you h2 { color: var(--you); }
.model h2 { color: var(--model); }
.text { margin: .375rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre, code, summary { font: .875rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { margin: .5rem 0 0; padding: .75rem 1rem; background: var(--box); border-radius: .375rem; overflow-x: auto; tab-size: 8; }
details { margin-top: 1rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--box); }
summary { padding: .5rem .75rem; cursor: pointer; white-space: pre-wrap; overflow-wrap: anywhere; }
details pre { margin: 0; border-top: 1px solid var(--line); border-radius: 0 0 .375rem .375rem; }
.label { color: var(--faint); }
.failed .label { color: var(--bad); }
.done .label { color: var(--good); }
.note { margin-top: 1rem; color: var(--faint); font-size: .875rem; }
.unseen { color: var(--odd); border: 1px solid; border-radius: .25rem; padding: 0 .2em; font-size: .75em; }
.bold { font-weight: 700; } .dim { opacity: .7; } .italic { font-style: italic; }
.underline { text-decoration: underline; } .strike { text-decoration: line-through; }
.inverse { background: var(--ink); color: var(--paper); }
${sixteen()}
@media print { body { max-width: none; padding: 0; } article { break-inside: avoid-page; } }
`

/** On a coloured ground the ink is the paper's: the theme makes that readable, and no other pair. */
function sixteen(): string {
  const each = (line: (index: number) => string) => Array.from({ length: 16 }, (_, at) => line(at))
  return [
    ...each((at) => `.ink-${at} { color: var(--c${at}); }`),
    ...each((at) => `.ground-${at} { background: var(--c${at}); color: var(--paper); }`),
  ].join('\n')
}
