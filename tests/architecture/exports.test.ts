import { expect, test } from 'vitest'
import { importsOf, resolved, sourceOf, sourcesIn } from './sources.ts'

const files = ['app', 'server', 'tests'].flatMap(sourcesIn)
const imports = files.flatMap(importsOf)

/** Modules whose exports the framework or a test runner reads. */
const IS_FOR_OTHERS =
  /^app\/(?:routes|guards|root|entry)\b|^server\/app\.ts$|^server\/cli\/frequent\.ts$|^tests\/support\/(?:postgres-server|browser)\.ts$|\/(?:stubborn-worker|hostile-tasks|uncompiled)\.ts$/

const EXPORT = /^export (?:async )?(const|let|function\*?|class|type) (\w+)/gm

/** What a file offers. A type that its own file names stands in the signature of something else. */
function offersOf(file: string): string[] {
  const source = sourceOf(file)
  return [...source.matchAll(EXPORT)]
    .filter(
      ([, kind, name]) => kind !== 'type' || source.split(new RegExp(`\\b${name}\\b`)).length <= 2,
    )
    .map(([, , name]) => `${file}: ${name}`)
}

test('exports: every exported name is imported by another file', () => {
  const taken = new Set(
    imports.flatMap((one) => one.names.map((name) => `${resolved(one)}: ${name}`)),
  )
  const unused = files
    .filter((file) => !IS_FOR_OTHERS.test(file) && !taken.has(`${file}: *`))
    .flatMap(offersOf)
    .filter((one) => !taken.has(one))
  expect(files.length).toBeGreaterThan(0)
  expect(unused).toEqual([])
})

test('files: every module is imported or is where a program starts', () => {
  const imported = new Set(imports.map(resolved))
  const routes = new Set(
    [...sourceOf('app/routes.ts').matchAll(/'([^']+\.tsx?)'/g)].map(([, file]) => `app/${file}`),
  )
  const unused = files
    .filter((file) => /^(?:app|server)\//.test(file) && !imported.has(file) && !routes.has(file))
    .filter((file) => !STARTS.includes(file))
  expect(unused).toEqual([])
})

/** Modules that the framework, the launcher, the build or a process loads by its path. */
const STARTS = [
  'app/entry.client.tsx',
  'app/entry.server.tsx',
  'app/root.tsx',
  'server/cli/frequent.ts',
  'server/cli/rubrica.ts',
  'server/dev/reload-page.ts',
  'server/domain/pkcs/des.d.ts',
  'server/main.ts',
  'server/web/compress-assets.ts',
]
