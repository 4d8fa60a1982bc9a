import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { entriesOf, isArray, isRef, type PdfObject } from '#server/domain/pdf/object.ts'

/** A way inside an object, by the keys of its dictionaries. */
export type Path = {
  /** `Resources/Font` in a dictionary inside; empty for an item of an array that is an object of its own. */
  readonly way: string
  /** The last of its keys. */
  readonly key: string
  /** Undefined for the empty way. */
  readonly above: Path | undefined
}

type UseLink = (target: number, path: Path) => void

/** What the objects of a document refer to. Each is read when it is asked about first. */
export type Links = {
  /** All references in the trailer, in their order. */
  inTrailer(use: UseLink): void
  /** @throws {PdfError} `encrypted`, `too-complex` */
  inObject(number: number, use: UseLink): void
  /** @throws {PdfError} `encrypted`, `too-complex` */
  isArray(number: number): boolean
}

/** The links of a document: rules ask about them again and again, and its objects need not be read for each. */
export const linksOf = (document: PdfDocument): Links => document.once(readLinks)

/** Many times those of the largest forms, in 48 MB; beyond it objects are read each time they are asked about. */
const MOST_LINKS = 4_000_000

function readLinks(document: PdfDocument): Links {
  const pathOf = sharedPaths()
  const table = linkTable(pathOf)
  const valueIn = (number: number) => document.object(number)?.value ?? null

  function isKept(number: number): boolean {
    if (table.has(number)) return true
    if (!table.hasRoom()) return false
    table.add(number, valueIn(number))
    return true
  }

  return {
    inTrailer: (use) => eachLink(document.trailer, pathOf, use),
    inObject(number, use) {
      if (isKept(number)) table.each(number, use)
      else eachLink(valueIn(number), pathOf, use)
    },
    isArray: (number) => (isKept(number) ? table.isArray(number) : isArray(valueIn(number))),
  }
}

/** A path is made only for what leads somewhere. */
function eachLink(value: PdfObject, pathOf: PathOf, use: UseLink, keys: string[] = []): void {
  if (typeof value !== 'object' || value === null) return
  if (isRef(value)) use(value.number, pathOf(keys))
  else if (isArray(value)) for (const item of value.items) eachLink(item, pathOf, use, keys)
  else
    entriesOf(value).forEach((item, key) => {
      if (typeof item !== 'object' || item === null || item.kind === 'name') return
      keys.push(key)
      eachLink(item, pathOf, use, keys)
      keys.pop()
    })
}

/** Links in a few large lists: an object for each would take ten times the memory. */
function linkTable(pathOf: PathOf) {
  /** By the number of the object: where its links begin. They end where their count says. */
  const places = new Map<number, number>()
  const arrays = new Set<number>()
  const paths: Path[] = []
  const pathNumbers = new Map<Path, number>()
  let targets = new Float64Array(1024)
  let ways = new Uint32Array(1024)
  let length = 0

  function push(target: number, way: number): void {
    if (length === targets.length) {
      targets = widened(targets, new Float64Array(length * 2))
      ways = widened(ways, new Uint32Array(length * 2))
    }
    targets[length] = target
    ways[length] = way
    length++
  }

  function numberOf(path: Path): number {
    const known = pathNumbers.get(path)
    if (known !== undefined) return known
    pathNumbers.set(path, paths.length)
    return paths.push(path) - 1
  }

  return {
    has: (number: number) => places.has(number),
    hasRoom: () => length < MOST_LINKS,
    isArray: (number: number) => arrays.has(number),
    add(number: number, value: PdfObject): void {
      const start = length
      push(0, 0)
      eachLink(value, pathOf, (target, path) => push(target, numberOf(path)))
      targets[start] = length - start - 1
      places.set(number, start)
      if (isArray(value)) arrays.add(number)
    },
    each(number: number, use: UseLink): void {
      const start = places.get(number)!
      const end = start + 1 + targets[start]!
      for (let at = start + 1; at < end; at++) use(targets[at]!, paths[ways[at]!]!)
    },
  }
}

function widened<T extends Float64Array | Uint32Array>(old: T, wide: T): T {
  wide.set(old)
  return wide
}

/** No filter asks about deeper entries: what is reached there is reached some other way. */
const DEEPEST_PATH = 3
const DEEP = '…/…'
const NO_PATH: Path = { way: '', key: '', above: undefined }

type PathOf = (keys: readonly string[]) => Path

/** More than the names in the resources of the largest books, in 20 MB. */
const MOST_PATHS = 100_000

/** A path is made once for all objects that have it: there are many objects and few paths. */
function sharedPaths(): PathOf {
  const below = new Map<Path, Map<string, Path>>()
  let room = MOST_PATHS

  function pathBelow(above: Path, key: string, isDeep: boolean): Path {
    const siblings = below.get(above) ?? new Map<string, Path>()
    const known = siblings.get(key)
    if (known) return known
    room--
    if (room < 0) throw new PdfError('too-complex', 'objects lead to others by too many keys')
    const way = isDeep ? DEEP : above === NO_PATH ? key : `${above.way}/${key}`
    const made: Path = { way, key, above }
    below.set(above, siblings.set(key, made))
    return made
  }

  return (keys) => {
    let path = NO_PATH
    for (const key of keys.slice(0, DEEPEST_PATH)) path = pathBelow(path, key, false)
    return keys.length > DEEPEST_PATH ? pathBelow(path, keys.at(-1)!, true) : path
  }
}
