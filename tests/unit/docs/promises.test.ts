import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { VARIABLES } from '#server/environment.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

describe('.env.example', () => {
  /** npm sets the folder of its caller. */
  const OF_NPM = ['INIT_CWD']
  const example = Object.fromEntries(
    [...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value?.replace(/^"(.*)"$/, '$1'),
    ]),
  )

  test('names every variable that the configuration reads, once, and no other', () => {
    const names = [...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(
      ([, name]) => name,
    )
    expect(names.toSorted()).toEqual(VARIABLES.filter((name) => !OF_NPM.includes(name)).toSorted())
  })

  test('gives values that the configuration accepts', () => {
    expect(readConfig('start', example)).toMatchObject({
      publicOrigin: 'https://rubrica.notaria.mx',
      mail: { from: { name: 'Notaría 12' } },
    })
  })

  test('names nothing that docs/operations.md does not explain', () => {
    const table = read('docs/operations.md')
    expect(Object.keys(example).filter((name) => !table.includes(`\`${name}\``))).toEqual([])
  })
})

describe('Node', () => {
  const { engines, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))

  test('engines: is what the launcher refuses below, and what the README asks for', () => {
    const [, oldest] = /OLDEST_NODE = (\d+)/.exec(read('server/run.mjs')) ?? []
    expect(engines).toEqual({ node: `>=${oldest}` })
    expect(read('README.md')).toContain(`They need Node ${oldest} or newer and npm`)
  })

  test('engines: elsewhere than where Node is pinned, as new a Node is asked for as the packages need', () => {
    const { packages } = JSON.parse(read('package-lock.json'))
    const [, wanted] = /se necesita Node (\d+\.\d+) /.exec(read('server/run.mjs')) ?? []
    expect(packages['node_modules/react-router'].engines.node).toBe(`>=${wanted}.0`)
  })

  test('pinned: is the same version on every system, and the one of its types', () => {
    const versions = new Set(Object.values<string>(optionalDependencies))
    expect(versions.size).toBe(1)
    const [major] = [...versions][0]!.split('.')
    expect(devDependencies['@types/node'].split('.')[0]).toBe(major)
  })
})
