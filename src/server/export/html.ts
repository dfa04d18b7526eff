import type { Event } from '../../protocol/events/event.ts'
import { fenceEnd } from '../../base/code-in-text.ts'
import { thoughtWords } from '../../protocol/events/message.ts'
import {
  type Called,
  type Item,
  type Ran,
  type Said,
  statusOf,
  titleOf,
  type RunTexts,
} from './items.ts'
import {
  terminalLines,
  colouredLines,
  escaped,
  escapedLine,
  escapedTitle,
} from './terminal-lines.ts'

/** The whole look of the page; everything on it works without it too. */
const htmlStyle = `
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
.thoughts div { padding: 0 .75rem .75rem; color: var(--faint); }
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

/** One page that needs nothing else: no script, no address, and a policy that would stop both. */
export async function htmlDocument(
  log: readonly Event[],
  items: readonly Item[],
  textsOf: (ran: Ran) => Promise<RunTexts>,
): Promise<string> {
  const parts: string[] = []
  for (const item of items) parts.push(await section(item, textsOf))
  const title = titleOf(log)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapedTitle(title)}</title>
<style>${htmlStyle}</style>
</head>
<body>
<header>
<h1>${escapedLine(title)}</h1>
${about(log)}
</header>
<main>
${parts.join('\n')}
</main>
</body>
</html>
`
}

function about(log: readonly Event[]): string {
  const [start] = log
  if (start?.type !== 'session_start') return ''
  const epoch = log.findLast((event) => event.type === 'epoch_start')
  const model = epoch?.type === 'epoch_start' ? ` · ${escapedLine(epoch.model)}` : ''
  return `<p class="about">${escapedLine(start.workspace)}${model} · ${time(start.at)}</p>`
}

function time(at: number): string {
  const iso = new Date(at).toISOString()
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

async function section(item: Item, textsOf: (ran: Ran) => Promise<RunTexts>): Promise<string> {
  if (item.type === 'said') return said(item)
  if (item.type === 'called') return called(item)
  return item.private ? privateRun(item) : run(item, await textsOf(item))
}

function said({ role, text, at, thoughts }: Said): string {
  const [kind, name] = role === 'user' ? ['you', 'You'] : ['model', 'Model']
  const thought = thoughts ? thoughtBox(thoughts) : ''
  return `<article class="${kind}"><h2>${name} ${time(at)}</h2>${thought}${prose(text)}</article>`
}

function thoughtBox({ text, ms }: NonNullable<Said['thoughts']>): string {
  const summary = `<summary class="label">${thoughtWords(ms)}</summary>`
  return `<details class="thoughts">${summary}<div>${prose(text)}</div></details>`
}

/** Words as they were written, and blocks of code as such. */
function prose(text: string): string {
  const parts: string[] = []
  let from = 0
  const plain = (to: number) => {
    const words = text.slice(from, to).trimEnd().replace(/^\n+/, '')
    if (words !== '') parts.push(`<p class="text">${escaped(words)}</p>`)
  }
  for (let at = 0; at !== -1 && at < text.length;) {
    const end = fenceEnd(text, at)
    if (end !== null) {
      plain(at)
      parts.push(`<pre><code>${escaped(codeIn(text.slice(at, end)))}</code></pre>`)
      from = end
    }
    const next = text.indexOf('\n', end ?? at)
    at = next === -1 ? -1 : next + 1
  }
  plain(text.length)
  return parts.join('')
}

/** The text between the lines of a fence; the closing line may be missing. */
function codeIn(block: string): string {
  const [open = '', ...lines] = block.split('\n')
  const mark = /^ *(`+|~+)/.exec(open)?.[1] ?? ''
  const last = lines.at(-1)?.trim() ?? ''
  const isClosed = last.startsWith(mark) && last === mark.charAt(0).repeat(last.length)
  return lines.slice(0, isClosed ? -1 : undefined).join('\n')
}

function called({ request, answer }: Called): string {
  const { name, args } = request
  const head = args.startsWith('/') ? args : `${name} ${args}`
  const isBad = answer !== null && answer.status !== 'done'
  const body = answer === null ? '' : `<pre>${escaped(answer.content)}</pre>`
  return details({ head, label: answer?.status ?? 'running', kind: isBad ? 'failed' : '', body })
}

function privateRun(ran: Ran): string {
  return `<p class="note">A private command ran here: ${statusOf(ran)}. ${time(ran.at)}</p>`
}

function run(ran: Ran, texts: RunTexts): string {
  const { command, repo, start, answer } = ran
  const streams = [texts.output, texts.stdout, texts.stderr].filter((text) => text)
  const printed = streams.map((text = '') => `<pre>${colouredLines(terminalLines(text))}</pre>`)
  // The record is all that is left of a run whose output is gone.
  const record = answer !== null && start !== null ? `<pre>${escaped(answer.content)}</pre>` : ''
  const status = statusOf(ran)
  return details({
    head: `$ ${command}`,
    label: `${repo === null ? '' : `${repo} · `}${labelOf(ran)}`,
    kind: status === 'error' ? 'failed' : status,
    body: printed.length > 0 || texts.omitted === 0 ? printed.join('') : record,
  })
}

function labelOf({ end, start, answer }: Ran): string {
  if (end === null) return start === null ? (answer?.status ?? 'queued') : 'running'
  const seconds = `${(end.durationMs / 1_000).toFixed(1)}s`
  if (end.outcome !== 'ended') return end.outcome.replace('_', ' ')
  if (end.signal !== null) return `${seconds} ✗ (${end.signal})`
  if (end.exitCode === null) return seconds
  return `${seconds} ${end.exitCode === 0 ? '✓' : `✗ (exit ${end.exitCode})`}`
}

interface Shown {
  head: string
  label: string
  kind: string
  body: string
}

/** A failure is open: it is what the page is mostly read for. */
function details({ head, label, kind, body }: Shown): string {
  const open = kind === 'failed' ? ' open' : ''
  const summary = `<summary>${escaped(head)} <span class="label">${escaped(label)}</span></summary>`
  return `<details class="${kind}"${open}>${summary}${body}</details>`
}
