import type { Event } from '../../protocol/event.ts'
import { fenceEnd } from '../../protocol/code-in-text.ts'
import { htmlStyle } from './html-style.ts'
import { colouredLines, escaped, escapedLine, escapedTitle } from './html-text.ts'
import { type Called, type Item, type Ran, type Said, statusOf, titleOf } from './items.ts'
import type { RunTexts } from './run-texts.ts'
import { terminalLines } from './terminal-lines.ts'

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

function said({ role, text, at }: Said): string {
  const [kind, name] = role === 'user' ? ['you', 'You'] : ['model', 'Model']
  return `<article class="${kind}"><h2>${name} ${time(at)}</h2>${prose(text)}</article>`
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

/** What stands between the lines of a fence; the last of them may be missing. */
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
  // Of a run whose output is gone, the record is what is left of it.
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
