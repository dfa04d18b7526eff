import { effect, type Effect } from '../effect.ts'
import { listed } from '../writes/deletes.ts'
import type { Call } from '../calls/call.ts'

/** Letters and words of options that take a value. */
const takes: Readonly<Record<string, { letters: string; words: RegExp }>> = {
  curl: {
    letters: 'odXHFTuAbceKmwxrCEYyztPQDU',
    words:
      /^--(?:output|data(?:-\w+)?|request|header|form(?:-string)?|upload-file|user|user-agent|cookie|cookie-jar|max-time|connect-timeout|retry|retry-delay|write-out|proxy|json|url-query|cacert|cert|key|resolve|output-dir)$/,
  },
  wget: {
    letters: 'OPUTotawQ',
    words:
      /^--(?:output-document|directory-prefix|user-agent|timeout|tries|header|post-data|post-file|user|password|method|body-data)$/,
  },
}
const sends = /^(?:-[dFT]|--(?:data|form|json|upload-file|post|body)(?:-[\w-]+)?)$/

interface Option {
  flag: string
  value: string
}

interface Read {
  urls: readonly string[]
  options: readonly Option[]
}

/** `curl` and `wget`: the addresses, and whether something goes there or is deleted there. */
export function fetches(call: Call): readonly Effect[] {
  const { name } = call
  const { urls, options } = readWords(call)
  const where = listed(urls)
  const method = valueOf(options, /^(?:-X|--request|--method)$/) ?? 'GET'
  if (/^delete$/i.test(method))
    return [effect('destroy', `deletes something on the network: ${where}`)]
  const isSent = options.some(({ flag }) => sends.test(flag) && !(name === 'wget' && flag === '-T'))
  if (isSent || !/^(?:get|head)$/i.test(method))
    return [effect('network', `sends data to ${where}`)]
  const fetched = fileOf(name, options) ?? urls.at(-1)?.replace(/[?#].*$/s, '') ?? ''
  return [{ ...effect('network', `asks the network: ${where}`), fetches: fileName(fetched) }]
}

function valueOf(options: readonly Option[], flags: RegExp): string | null {
  return options.findLast(({ flag }) => flags.test(flag))?.value ?? null
}

/** The file that it comes into; '' for the output, null for one with the name that it has there. */
function fileOf(name: string, options: readonly Option[]): string | null {
  const flags = name === 'wget' ? /^(?:-O|--output-document)$/ : /^(?:-o|--output)$/
  const file = valueOf(options, flags)
  if (file !== null) return file === '-' ? '' : file
  const isNamed = name === 'wget' || valueOf(options, /^(?:-O|--remote-name)$/) !== null
  return isNamed ? null : ''
}

function readWords({ name, words }: Call): Read {
  const urls: string[] = []
  const options: Option[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? 'something'
    if (!/^-./.test(word)) {
      urls.push(word)
      continue
    }
    const { flag, joined, isOpen } = readOption(name, word)
    options.push({ flag, value: joined ?? (isOpen ? (words[++at] ?? '') : '') })
  }
  return { urls, options }
}

/** The option of a word that matters, the value in the same word, and whether the next word is its value. */
function readOption(
  name: string,
  word: string,
): { flag: string; joined: string | null; isOpen: boolean } {
  const { letters, words } = takes[name] ?? { letters: '', words: /^$/ }
  if (word.startsWith('--')) {
    const [, flag = word, joined = null] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
    return { flag, joined, isOpen: words.test(flag) }
  }
  const at = word.split('').findIndex((letter, index) => index > 0 && letters.includes(letter))
  if (at < 0)
    return {
      flag: name === 'curl' && word.includes('O') ? '-O' : word,
      joined: null,
      isOpen: false,
    }
  const rest = word.slice(at + 1)
  return { flag: `-${word[at]}`, joined: rest === '' ? null : rest, isOpen: true }
}

/** A file by its last name. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
