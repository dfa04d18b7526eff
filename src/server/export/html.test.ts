import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Event } from '../../protocol/events/event.ts'
import { defaultSessionLimits } from '../../protocol/limits.ts'
import type { SessionStart } from '../../protocol/events/session.ts'
import { htmlDocument } from './html.ts'
import { itemsOf } from './items.ts'
import { terminalLines, colouredLines, escaped } from './terminal-lines.ts'

const base = { v: 1 as const, at: 1_700_000_000_000, by: { kind: 'user' as const } }
const start: SessionStart = {
  ...base,
  seq: 1,
  type: 'session_start',
  team: 'default',
  workspace: '/project',
  title: null,
  approval: 'guarded',
  limits: defaultSessionLimits,
}

/** A session in which this text stands wherever anybody's text can stand. */
function hostileLog(text: string): readonly Event[] {
  const meta = { isClientInitiated: true }
  const run = { command: text, lane: 'terminal' as const, source: 'bang' as const, repo: text }
  return [
    { ...start, workspace: `/${text}`, title: `t${text}` },
    { ...base, seq: 2, type: 'input_queued', text },
    {
      ...base,
      seq: 3,
      type: 'message',
      role: 'user',
      parts: [{ type: 'text', text }],
      inContext: true,
      synthetic: false,
    },
    {
      ...base,
      seq: 4,
      type: 'tool_request',
      meta,
      name: text,
      args: text,
      index: 0,
      step: null,
    },
    {
      ...base,
      seq: 5,
      type: 'tool_response',
      meta,
      request: 4,
      status: 'error',
      content: text,
      inContext: false,
    },
    {
      ...base,
      seq: 6,
      type: 'tool_request',
      meta,
      name: 'terminal_execute',
      args: text,
      index: 0,
      step: null,
      run: { ...run, timeoutMs: 0, private: false, thenTurn: false },
    },
    {
      ...base,
      seq: 7,
      type: 'run_start',
      run: 'sh-00000000-0000-4000-8000-000000000000',
      request: 6,
      command: text,
      source: 'bang',
      lane: 'terminal',
      private: false,
      generation: 1,
      timeoutMs: 0,
      cwd: text,
    },
    {
      ...base,
      seq: 8,
      type: 'run_end',
      run: 'sh-00000000-0000-4000-8000-000000000000',
      start: 7,
      outcome: 'ended',
      exitCode: null,
      signal: text,
      durationMs: 1,
      bytes: 1,
      omitted: 0,
      cwdAfter: null,
      ptyFrom: 0,
      ptyTo: 1,
      content: null,
    },
    {
      ...base,
      seq: 9,
      type: 'message',
      role: 'assistant',
      parts: [
        { type: 'thinking', text: `t${text}` },
        { type: 'text', text },
      ],
      step: null,
      stop: 'done',
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      thoughtMs: 12_000,
      witness: { prefixBytes: 0, ok: true },
      inContext: true,
      synthetic: false,
    },
  ]
}

const page = (log: readonly Event[], output = '') =>
  htmlDocument(log, itemsOf(log), async () => ({ output, omitted: 0 }))

/** Everything between angle brackets, and what is left without it. */
const tags = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag)
const shapeOf = (html: string) =>
  tags(html)
    .map((tag) => tag.replaceAll(/ (?:class|style|datetime)="[^"]*"/g, ''))
    .filter((tag) => !/^<\/?span>$/.test(tag))

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '<script>alert(1)</script>',
        '<img src=x onerror=alert(1)>',
        '"><svg onload=alert(1)>',
        "' onmouseover='alert(1)",
        '</pre></details></style></title></body>',
        '<!--',
        ']]>',
        '&lt;script&gt;',
        '&#60;b&#62;',
        '\x1b[31m',
        '\x1b[38;2;1;2;3;expression(alert(1))m',
        '\x1b]8;;javascript:alert(1)\x07x',
        '\u202e',
        '```\n<b>\n```\n',
        '\0',
        '\ud800',
        'x',
        ' ',
      ),
    )
    .map((parts) => parts.join('')),
)

test('[EXP3] whatever stands in a session, the page has the elements that it has without it', () =>
  fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      // Fences make blocks of their own, and lines more or fewer of them; the rest has one shape.
      const harmless = text.replaceAll(/[^`~\n \t]/g, 'x')
      const found = new Set(shapeOf(await page(hostileLog(text), text)))
      const known = new Set([
        ...shapeOf(await page(hostileLog(harmless), harmless)),
        '<p>',
        '</p>',
        '<pre>',
        '</pre>',
        '<code>',
        '</code>',
      ])
      expect([...found].filter((tag) => !known.has(tag))).toEqual([])
    }),
  ))

test('[EXP3] an escaped text reads back as it was, and no bracket or quote is left in it', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const html = escaped(text)
      const outside = html.replaceAll(/<span class="unseen">U\+[0-9A-F]{4,6}<\/span>/g, '')
      expect(outside).not.toMatch(/[<>"']/)
      const read = html
        .replaceAll(/<span class="unseen">U\+([0-9A-F]+)<\/span>/g, (_, hex: string) =>
          String.fromCodePoint(Number.parseInt(hex, 16)),
        )
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&')
      expect(read).toBe(text.replaceAll('\r\n', '\n'))
    }),
  ))

test.each([
  ['\u202e', 'U+202E'],
  ['\u200b', 'U+200B'],
  ['\u00ad', 'U+00AD'],
  ['\u{e0041}', 'U+E0041'],
  ['\u2028', 'U+2028'],
  ['\x1b', 'U+001B'],
  ['\ud800', 'U+D800'],
  ['a\u200db', 'U+200D'],
  ['\u3164', 'U+3164'],
])('[EXP3] a character that is not seen is named: %j', (text, name) => {
  expect(escaped(text)).toContain(`<span class="unseen">${name}</span>`)
})

test('[EXP3] what only lays text out, or joins an emoji, is left alone', () => {
  for (const text of ['a\n\tb', '👩‍💻', '👩🏽‍🚀', '🏳️‍🌈', 'é', '漢字']) expect(escaped(text)).toBe(text)
})

test('[EXP1] colours become classes of the theme, or the colours they are', () => {
  const html = colouredLines(
    terminalLines('\x1b[31mred\x1b[0m \x1b[1;38;5;208morange\x1b[0m \x1b[7mback\x1b[0m'),
  )
  expect(html).toBe(
    '<span class="ink-1">red</span> <span class="bold" style="color:rgb(255,135,0)">orange</span>' +
      ' <span class="inverse">back</span>\n',
  )
})

test('[EXP3] the page holds no script, no address, and a policy that would stop both', async () => {
  const html = await page(hostileLog('https://example.org'), 'https://example.org')
  expect(tags(html).filter((tag) => /script|link|img|href|src=|@import|url\(/i.test(tag))).toEqual(
    [],
  )
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  expect(html).toContain('prefers-color-scheme: dark')
})

test('[EXP6] a private command is a line without its words', async () => {
  const log = hostileLog('secret-words').map((event): Event => {
    if (event.type === 'tool_request' && event.run)
      return { ...event, args: '', run: { ...event.run, private: true } }
    return event.type === 'run_start' ? { ...event, private: true } : event
  })
  const only = log.filter((event) => event.seq === 1 || [6, 7, 8].includes(event.seq))
  const html = await page([{ ...start, seq: 1 }, ...only.slice(1)], 'secret-words')
  expect(html).not.toContain('secret-words')
  expect(html).toContain('A private command ran here: error.')
})

async function pageOf(text: string): Promise<string> {
  const said: Event = { ...base, seq: 2, type: 'input_queued', text }
  const log = [start, said]
  return htmlDocument(log, itemsOf(log), () => Promise.resolve({ omitted: 0 }))
}

test.each([
  ['a\n```js\nb\n```\nc', '<p class="text">a</p><pre><code>b</code></pre><p class="text">c</p>'],
  ['~~~\n```\nx', '<pre><code>```\nx</code></pre>'],
  ['```\n~~~', '<pre><code>~~~</code></pre>'],
  ['```` \n```\n````', '<pre><code>```</code></pre>'],
])('[EXP3] code in a text is a block of its own, closed or not: %j', async (text, html) => {
  expect(await pageOf(text)).toContain(html)
})

test('[EXP3] a page is made in time that grows with its text only, whatever that is', async () => {
  for (const text of ['`', ' ', '\n', '~~~\n', '```\n', '\r'])
    expect(await pageOf(`x\n${text.repeat(400_000)}x`)).toContain('</main>')
})

test('[VIEW16] thoughts are folded on the page, with the time they took', async () => {
  const html = await page(hostileLog('so'))
  expect(html).toContain(
    '<details class="thoughts"><summary class="label">Thought for 12 s</summary><div><p class="text">tso</p></div></details>',
  )
})
