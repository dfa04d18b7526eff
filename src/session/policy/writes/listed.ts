import { effect, type Effect } from '../effect.ts'
import { type Judging, lookAt } from '../judging.ts'
import { isWithin, joinPath } from '../paths.ts'
import type { Call } from '../calls/call.ts'
import { isProtected } from './protected.ts'
import { notLooked } from './write-path.ts'

/** A path in which nothing is special to the shell or to `xargs`. */
const plain = /^[\w@+.,/-]+$/

/** More files than this are not looked at one by one. */
const maxFiles = 500

/** `grep -rl WORD FOLDER | xargs sed -i …`: any file of the folder may be changed, so all of them are looked at. */
export function changesListed({
  judging,
  place,
}: Pick<Call, 'judging' | 'place'>): readonly Effect[] {
  const folders = foldersListed(place.before)
  const { cwds } = place
  if (folders === null || cwds === null)
    return [effect('code', 'changes files that nobody knows yet')]
  return cwds.flatMap((cwd) =>
    folders.flatMap((folder): readonly Effect[] => {
      const { workspace } = judging.facts
      const fact = lookAt(judging, joinPath(cwd, folder), 'tree')
      if (fact === undefined) return [notLooked]
      const { real, tree } = fact
      const isMuch = tree != null && tree.length > maxFiles
      if (
        isMuch ||
        real === null ||
        tree == null ||
        !isWithin(real, workspace) ||
        real === workspace
      )
        return [effect('unclear', `changes files in ${folder}, which are too many or elsewhere`)]
      const at = real.slice(workspace.length)
      const odd = tree.find((file) => !plain.test(file) || isProtected(`${at}/${file}`))
      if (odd !== undefined)
        return [effect('settings', `may change ${folder}/${odd}, which steers other programs`)]
      const files = tree.map((file) => `${real}/${file}`)
      return [
        ...files.flatMap((file) => losesContent(judging, file)),
        effect('write', `changes files in ${folder}`, files),
      ]
    }),
  )
}

/** A link that it meets on its way `grep -r` leaves out. */
function losesContent(judging: Judging, file: string): readonly Effect[] {
  const fact = lookAt(judging, file, 'kept')
  if (fact === undefined) return [notLooked]
  return fact.real === file && fact.isKept === false
    ? [effect('destroy', `may change ${file}, whose content git does not have`, [file])]
    : []
}

/** The folders whose files `grep -rl` names; null when it may name others. */
function foldersListed([name, ...words]: readonly string[]): readonly string[] | null {
  const flags = words.filter((word) => word.startsWith('-'))
  const [, ...folders] = words.filter((word) => !word.startsWith('-'))
  const letters = flags.map((flag) => flag.slice(1)).join('')
  const isKnown =
    name === 'grep' &&
    flags.every((flag) => /^-[rlEFiw]+$/.test(flag)) &&
    /r/.test(letters) &&
    /l/.test(letters)
  const isPlain = folders.length > 0 && folders.every((folder) => plain.test(folder))
  return isKnown && isPlain ? folders : null
}
