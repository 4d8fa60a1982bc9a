import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../../..')

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/api.md',
  'docs/crypto-inventory.md',
  'docs/limits.md',
  'docs/operations.md',
  'docs/presence.md',
  'docs/security.md',
]

const read = (page: string) => readFileSync(path.join(ROOT, page), 'utf8')

/** Paths from the root in `code`, except placeholders such as `<subject>` and `NNNN-name`. */
function pathsNamedIn(page: string): string[] {
  const named = read(page).matchAll(/`((?:app|docs|public|server|tests)\/[\w./-]+)`/g)
  return Array.from(named, ([, name = '']) => name).filter((name) => !name.includes('NNNN'))
}

/** Targets of links to other pages and to sections, without addresses of other sites. */
const linksIn = (page: string) =>
  Array.from(read(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter(
    (target) => !target.includes('://'),
  )

/** As GitHub makes anchors of headings. */
const anchorsOf = (page: string) =>
  Array.from(read(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(PAGES)('%s names files that exist', (page) => {
  expect(pathsNamedIn(page).filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([])
})

test.each(PAGES)('%s links to pages and sections that exist', (page) => {
  const broken = linksIn(page).filter((link) => {
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file)
    if (!existsSync(path.join(ROOT, target))) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
  expect(broken).toEqual([])
})

/** Names of functions, types and tables in `code`: `appendEvent`, `VISITS`, `MailKind`. */
const namesIn = (page: string) =>
  Array.from(
    read(page).matchAll(/`([a-z]+(?:[A-Z]\w*)+|[A-Z][A-Z_]{2,}|(?:[A-Z][a-z]+){2,})\b/g),
    ([, name = '']) => name,
  )

test('CONTRIBUTING.md names functions, types and tables that exist', () => {
  const sources = ['app', 'server', 'tests'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !file.includes('unit/docs'))
      .map((file) => read(path.join(folder, file))),
  )
  const known = new Set([...sources, read('vite.config.ts')].join('\n').match(/\w+/g))
  const names = namesIn('CONTRIBUTING.md')
  expect(names).toEqual(expect.arrayContaining(['appendEvent', 'VISITS', 'MailKind']))
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

test.each(['app', 'server', 'tests'])('README.md: the map names every folder of %s', (top) => {
  const [, map = ''] = read('README.md').split('## The map')
  const folders = readdirSync(path.join(ROOT, top), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  const isNamed = (name: string) =>
    map.includes(`${top}/${name}/`) || new RegExp(`^  (?:\\w+/ )*${name}/`, 'm').test(map)
  const ports = 'server/system.ts, ports/'
  expect(map).toContain(ports)
  expect(folders.filter((name) => !isNamed(name) && !ports.endsWith(`${name}/`))).toEqual([])
})

test('pages are read: the README names files and links to sections', () => {
  expect(pathsNamedIn('README.md')).toContain('app/routes.ts')
  expect(linksIn('docs/security.md')).toContain('decisions/0033-audit-log-checkpoints.md')
  expect(anchorsOf('docs/operations.md')).toContain('the-log')
})
