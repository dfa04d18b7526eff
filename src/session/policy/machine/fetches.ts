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

interface Read {
  urls: readonly string[]
  method: string
  isSent: boolean
  /** The file that it comes into; '' for the output. */
  file: string
}

/** `curl` and `wget`: the addresses, and whether something goes there or is deleted there. */
export function fetches(call: Call): readonly Effect[] {
  const { urls, method, isSent, file } = readCall(call)
  const where = listed(urls)
  if (/^delete$/i.test(method))
    return [effect('destroy', `deletes something on the network: ${where}`)]
  if (isSent || !/^(?:get|head)$/i.test(method))
    return [effect('network', `sends data to ${where}`)]
  return [{ ...effect('network', `asks the network: ${where}`), fetches: file }]
}

function readCall({ name, words }: Call): Read {
  const urls: string[] = []
  const found: Omit<Read, 'urls' | 'file'> & { file: string | null } = {
    method: 'GET',
    isSent: false,
    file: name === 'wget' ? null : '',
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? 'something'
    if (!/^-./.test(word)) {
      urls.push(word)
      continue
    }
    const { flag, joined, isOpen } = readOption(name, word)
    const value = joined ?? (isOpen ? (words[++at] ?? '') : '')
    if (name === 'wget' ? false : /^-O$|^--remote-name$/.test(flag)) found.file = null
    if (flag === '-X' || flag === '--request' || flag === '--method') found.method = value
    if (sends.test(flag) && !(name === 'wget' && flag === '-T')) found.isSent = true
    if (flag === (name === 'wget' ? '-O' : '-o') || /^--output(?:-document)?$/.test(flag))
      found.file = value === '-' ? '' : value
  }
  const last = urls.at(-1)?.replace(/[?#].*$/s, '') ?? ''
  return { ...found, urls, file: fileName(found.file ?? last) }
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
  const at = [...word].findIndex((letter, index) => index > 0 && letters.includes(letter))
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
