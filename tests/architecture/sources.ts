import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

export type Import = {
  file: string
  target: string
  isType: boolean
  /** The names that are taken, by their name in the target; `*` for all. Side effects take none. */
  names: readonly string[]
}

/** The TypeScript files below a folder of the project, by their paths from the root. */
export function sourcesIn(folder: string): string[] {
  if (!existsSync(path.join(ROOT, folder))) return []
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
}

export const sourceOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

const IMPORT =
  /^(?:import|export)\s+(?<type>type\s)?(?<names>[^'"]*?)\s*from\s*['"](?<from>[^'"]+)['"]|^import\s*['"](?<effect>[^'"]+)['"]|(?:const (?<taken>\{[^}]*\}) = await )?import\(\s*['"](?<loaded>[^'"]+)['"]\s*\)(?:\)?\.(?<member>\w+))?|new URL\(\s*['"](?<worker>\.[^'"]+\.ts)['"]/gm

export function importsOf(file: string): Import[] {
  return [...sourceOf(file).matchAll(IMPORT)].map(({ groups = {} }) => {
    const { from, effect, loaded, worker } = groups
    const target = (from ?? effect ?? loaded ?? worker ?? '').replace(/\?.*$/, '')
    const isType = groups.type !== undefined || target.includes('/+types/')
    return { file, target, isType, names: namesOf(groups) }
  })
}

function namesOf({ names, taken, member, from, loaded }: Record<string, string | undefined>) {
  if (from === undefined && loaded === undefined) return []
  if (member !== undefined && member !== 'then') return [member]
  const list = names ?? taken
  if (list === undefined || list.includes('*')) return ['*']
  const [, braced = ''] = /\{([^}]*)\}/.exec(list) ?? []
  const named = braced
    .split(',')
    .map((one) => one.trim().replace(/^type /, ''))
    .map((one) => one.split(/[\s:]/)[0] ?? '')
    .filter((one) => one !== '')
  return list.startsWith('{') ? named : ['default', ...named]
}

/** The file of ours that an import names, or undefined for a package. */
export function resolved({ file, target }: Pick<Import, 'file' | 'target'>): string | undefined {
  if (target.startsWith('#')) return target.slice(1)
  if (target.startsWith('.')) return path.join(path.dirname(file), target)
}
