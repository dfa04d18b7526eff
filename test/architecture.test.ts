import { posix } from 'node:path'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cage, type Canary, openCage } from './architecture/canaries.ts'
import { layerNames, layers, pureLayers } from './architecture/layers.ts'
import { packages, withDependencies } from './architecture/lockfile.ts'
import { root } from './architecture/root.ts'
import { filesOf, packagesOf, sources } from './architecture/source-files.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json'))

describe('the layers', () => {
  const worldly: Record<string, string> = {
    process: 'process.exit()',
    fetch: "export const answer = fetch('x')",
    timer: 'setTimeout(() => 1, 1)',
    files: "import { readFileSync } from 'node:fs'\nexport const read = readFileSync",
    'side-effect': "import 'node:fs'",
    console: "console.log('x')",
  }
  const timely: Record<string, string> = {
    clock: 'export const at = Date.now()',
    date: 'export const at = new Date()',
    random: 'export const dice = Math.random()',
  }
  const inPure = (lines: Record<string, string>): Canary[] =>
    pureLayers.flatMap((layer) =>
      Object.entries(lines).map(([name, text]) => ({ layer, name, text })),
    )
  const imports = layerNames.flatMap((layer) =>
    layerNames
      .filter((other) => other !== layer)
      .map((other) => ({
        layer,
        name: `to-${other}`,
        text: `import { leaf } from '../${other}/leaf.ts'\nexport const canary = leaf`,
      })),
  )
  const harmless = layerNames.map((layer) => ({
    layer,
    name: 'harmless',
    text: 'export const canary = Math.max(1, 2)',
  }))
  const named = (canaries: readonly Canary[]) =>
    canaries.map(({ layer, name }) => `${layer}/${name}`).sort()

  let cage: Cage
  let uncompiled: readonly string[] = []
  beforeAll(async () => {
    cage = openCage([...inPure(worldly), ...inPure(timely), ...imports, ...harmless])
    uncompiled = await cage.compile()
  })
  afterAll(() => cage.remove())

  test('[ARCH1] process, network, timers and Node’s modules do not compile in a pure layer', () => {
    const kept = named([...inPure(worldly), ...inPure(timely), ...harmless])
    expect(uncompiled.filter((name) => kept.includes(name))).toEqual(named(inPure(worldly)))
  })

  test('[ARCH2] an import against the direction of the layers does not compile', () => {
    // References reach through: what a layer may import, it sees with all that stands behind it.
    const reachable = (layer: string): readonly string[] =>
      (layers[layer] ?? []).flatMap((below) => [below, ...reachable(below)])
    const forbidden = imports.filter(
      ({ layer, name }) => !reachable(layer).includes(name.replace('to-', '')),
    )
    const attempted = named(imports)
    expect(uncompiled.filter((name) => attempted.includes(name))).toEqual(named(forbidden))
    expect(forbidden.length).toBeLessThan(imports.length)
  })

  test('[ARCH1] a clock or a random number in a pure layer does not pass the linter', async () => {
    const faulty = await cage.lint()
    const kept = named([...inPure(timely), ...harmless])
    expect(faulty.filter((name) => kept.includes(name))).toEqual(named(inPure(timely)))
  })

  test('[ARCH2] every folder of src is a layer, and no pure one declares a world for itself', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
    const hint = 'a new folder of src is a layer: add it to test/architecture/layers.ts'
    expect(folders.sort(), hint).toEqual([...layerNames].sort())
    const pure = filesOf('src', /\.tsx?$/).filter(
      ({ path }) => pureLayers.includes(path.split('/')[1] ?? '') && !path.endsWith('.test.ts'),
    )
    const declared = /^\s*(?:declare\b|\/\/\/\s*<reference|\/[/*].*(?:oxlint|eslint)-disable)/m
    const declaring = pure.filter(({ text }) => declared.test(text)).map(({ path }) => path)
    expect(declaring, 'no declare, <reference> or lint-disable in a pure layer').toEqual([])
  })
})

describe('the sources', () => {
  test('[ARCH2] each layer imports only the layers it is said to', () => {
    const strays = sources().flatMap(({ path, text }) => {
      const [, layer = ''] = path.split('/')
      const others = [...text.matchAll(/\bfrom '(\.\.?\/[^']+)'/g)].map(
        ([, to = '']) => posix.join(posix.dirname(path), to).split('/')[1] ?? '',
      )
      return others
        .filter((to) => to !== layer && layerNames.includes(to) && layerNames.includes(layer))
        .filter((to) => !layers[layer]?.includes(to))
        .map((to) => `${path} imports ${to}`)
    })
    expect(strays, 'the table "Layers" in ARCHITECTURE.md says who may import whom').toEqual([])
  })

  test('[ARCH1] one file opens terminals and one opens databases', () => {
    const importers = (name: string) =>
      sources()
        .filter((file) => packagesOf(file).includes(name))
        .map(({ path }) => path)
    expect(importers('@lydell/node-pty')).toEqual(['src/holder/process/pty.ts'])
    expect(importers('@photostructure/sqlite')).toEqual(['src/server/store/database.ts'])
  })

  test('[ARCH6] nothing has a default export, and no file only passes others on', () => {
    const byDefault = /^\s*export\s+default\b|\bas\s+default\b/m
    const barrel = /^\s*export\s+(?:\*|\{[^}]*\})\s+from\b/m
    const faulty = sources().filter(({ text }) => byDefault.test(text) || barrel.test(text))
    const hint = 'export by name, and import from the file that declares it'
    expect(
      faulty.map(({ path }) => path),
      hint,
    ).toEqual([])
  })

  test('[ARCH6] no file of src has more than 300 lines', () => {
    const long = filesOf('src', /./).filter(({ text }) => text.split('\n').length - 1 > 300)
    expect(long.map(({ path }) => path)).toEqual([])
  })

  test('[ARCH6] names say what a thing is, not that it is something', () => {
    const vague = /manager|utils?\b|helper|service|repository|factory|misc\b|common\b/i
    const files = [...filesOf('src', /./), ...filesOf('test', /./)].map(({ path }) => path)
    const hint = 'say what it does instead of manager, util, helper, service …'
    expect(
      files.filter((path) => vague.test(path)),
      hint,
    ).toEqual([])
    const declared = sources().flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:function|const|let|interface|type|class)\s+(\w+)/g)].map(
        ([, name = '']) => `${path}: ${name}`,
      ),
    )
    const avoided =
      /: \w*(?:manager|utils?|helper|service|repository|factory|daemon|packet|eventid|tooluse)\b/i
    expect(
      declared.filter((name) => avoided.test(name)),
      hint,
    ).toEqual([])
    expect(declared.length).toBeGreaterThan(500)
  })
})

describe('the system prompt', () => {
  test('[TR12] the system prompt of each dialect teaches the shell, commands, results and skills, in bytes that never change', () => {
    for (const [dialect, how] of [
      ['tags', '<shell>ls</shell>'],
      ['tools', 'terminal_execute'],
    ] as const) {
      const prompt = read(`src/server/model/system-prompt.${dialect}.md`)
      for (const taught of ['persistent shell', how, 'following message', 'skill list'])
        expect(prompt).toContain(taught)
      // A date, a folder, a name or a placeholder for one would make every request new.
      expect(prompt).not.toMatch(/\b20\d\d\b|\/(?:home|root|tmp|Users)\b|\$\{|\{\{|@[A-Z]+@/)
    }
  })
})

describe('the package', () => {
  const runtime: readonly string[] = Object.keys(manifest.dependencies)
  const imported = [...new Set(sources().flatMap(packagesOf))].sort()

  test('[PKG1] npm runs no script of a dependency and keeps to the engines', () => {
    const lines = read('.npmrc').split('\n')
    expect(lines).toEqual(expect.arrayContaining(['ignore-scripts=true', 'engine-strict=true']))
    expect(manifest.engines.node).toBe('>=20.19')
  })

  test('[PKG1] what the product needs at run time needs no install script', () => {
    // Its script only looks whether a prebuilt library fits, and it brings those.
    const works = ['node_modules/@photostructure/sqlite']
    const needed = runtime.flatMap((name) => [...withDependencies(name)])
    const scripted = needed.filter(([, { hasInstallScript }]) => hasInstallScript)
    expect(scripted.map(([path]) => path)).toEqual(works)
    const prebuilt = filesOf('node_modules/@photostructure/sqlite/prebuilds', /\.node$/)
    expect(prebuilt.some(({ path }) => path.includes('linux-x64'))).toBe(true)
    expect(
      Object.keys(manifest.scripts ?? {}).filter((name) => /install|prepare/.test(name)),
    ).toEqual([])
  })

  test('[PKG3] the bundle asks for nothing but Node, the run-time dependencies, and the React of who uses it', () => {
    const wanted = new Set(filesOf('dist', /\.js$/).flatMap(bundledImports))
    expect(wanted.size).toBeGreaterThan(0)
    const known = [...runtime, ...Object.keys(manifest.peerDependencies)]
    expect([...wanted].filter((name) => !known.includes(name))).toEqual([])
    expect(manifest.peerDependenciesMeta.react.optional).toBe(true)
  })

  test('[PKG3] everything that is shipped, bundled or not, has a permissive licence', () => {
    const permissive = /^\(?(?:MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0)\b/
    const shipped = imported.flatMap((name) => [...withDependencies(name)])
    expect(shipped.length).toBeGreaterThan(runtime.length)
    const others = shipped.filter(([, { license = '' }]) => !permissive.test(license))
    expect(others.map(([path]) => path)).toEqual([])
    expect(read('LICENSE')).toContain('MIT License')
  })

  test('[PKG1] every import is declared, and the lockfile names no private registry', () => {
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(imported.filter((name) => !declared.includes(name))).toEqual([])
    const hosts = Object.values(packages).flatMap(({ resolved }) =>
      resolved === undefined ? [] : [new URL(resolved).host],
    )
    expect(hosts.filter((host) => host !== 'registry.npmjs.org')).toEqual([])
  })
})

/** A minified module says `from"x"` and `import("x")`. */
function bundledImports({ text }: { text: string }): readonly string[] {
  const specifiers = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`]([^"'`]+)["'`]/g)
  return [...specifiers]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => /^[@\w][\w./-]*$/.test(specifier) && !specifier.startsWith('node:'))
}
