import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isRef, type PdfObject } from '#server/domain/pdf/object.ts'

/** Everything that a document leads to from its trailer. */
export type Reach = {
  /**
   * Numbers of all objects that are referred to, missing ones included: to define one later changes what refers
   * to it. Each with the keys under which it is referred to.
   */
  readonly roles: ReadonlyMap<number, ReadonlySet<string>>
}

/**
 * Whether the walk goes through an entry of object `number` (0: the trailer). `path` is the way to it inside the object:
 * its key, or `Resources/Font` in a dictionary inside; empty for an item of an array that is an object of its own.
 */
export type EdgeFilter = (number: number, path: string) => boolean

/** Producers keep notes of their own in the trailer; no reader shows what they lead to. */
const TRAILER_KEYS = new Set(['Root', 'Info', 'Encrypt'])
export const whatReadersFollow: EdgeFilter = (number, path) =>
  number !== 0 || path.includes('/') || TRAILER_KEYS.has(path)

/** No filter asks about deeper entries: what is reached there is reached some other way. */
const DEEPEST_PATH = 3
const DEEP = '…/…'

/** @throws {PdfError} `encrypted`, `too-complex` */
export function reachOf(document: PdfDocument, follows: EdgeFilter = () => true): Reach {
  const roles = new Map<number, ReadonlySet<string>>()
  const rolesWith = sharedRoles()
  const waiting: [number: number, key: string][] = []
  const look = (
    value: PdfObject,
    owner: number,
    key: string,
    path: string,
    depth: number,
  ): void => {
    if (isRef(value)) {
      const known = roles.get(value.number)
      if (known?.has(key) || known === TOO_MANY_ROLES) return
      roles.set(value.number, rolesWith(known, key))
      if (!known || isList(value.number)) waiting.push([value.number, key])
    } else if (isArray(value)) for (const item of value.items) look(item, owner, key, path, depth)
    else
      for (const [below, item] of entriesOf(value)) {
        const way = pathTo(path, below, depth)
        if (follows(owner, way)) look(item, owner, below, way, depth + 1)
      }
  }
  // What a list holds is referred to as the list is, be it written in its place or as an object of its own.
  const isList = (number: number) => isArray(document.object(number)?.value)
  look(document.trailer, 0, 'trailer', '', 0)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [number, key] = next
    look(document.object(number)?.value ?? null, number, key, '', 0)
  }
  return { roles }
}

/** A way to an object: from which object, and its path there. */
export type Edge = readonly [owner: number, path: string]

/**
 * All ways to objects, from all that the document leads to.
 *
 * @throws {PdfError} `encrypted`, `too-complex`
 */
export function* edgesOf(
  document: PdfDocument,
  follows: EdgeFilter,
): Generator<readonly [target: number, edge: Edge]> {
  const seen = new Set<number>([0])
  const waiting: [number: number, value: PdfObject][] = [[0, document.trailer]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [owner, root] = next
    const values: [value: PdfObject, path: string, depth: number][] = [[root, '', 0]]
    for (let item = values.pop(); item; item = values.pop()) {
      const [value, path, depth] = item
      if (isRef(value)) {
        yield [value.number, [owner, path]]
        if (seen.has(value.number)) continue
        seen.add(value.number)
        waiting.push([value.number, document.object(value.number)?.value ?? null])
      } else if (isArray(value)) for (const one of value.items) values.push([one, path, depth])
      else
        for (const [key, one] of entriesOf(value)) {
          const below = pathTo(path, key, depth)
          if (follows(owner, below)) values.push([one, below, depth + 1])
        }
    }
  }
}

/**
 * Objects to which some way leads that is none of the places, from all that the document leads to.
 *
 * @throws {PdfError} `encrypted`, `too-complex`
 */
export function linkedBesides(
  document: PdfDocument,
  follows: EdgeFilter,
  isPlace: EdgeFilter,
): ReadonlySet<number> {
  const linked = new Set<number>()
  for (const [target, [owner, path]] of edgesOf(document, follows))
    if (!isPlace(owner, path)) linked.add(target)
  return linked
}

const pathTo = (above: string, key: string, depth: number) =>
  depth === 0 ? key : depth < DEEPEST_PATH ? `${above}/${key}` : DEEP

/** Honest objects have one or two roles; a stranger could give one a hundred thousand. */
const MAX_ROLES = 16
const TOO_MANY_ROLES: ReadonlySet<string> = new Set(['too many'])

/** A set is made once for all objects that have the same roles: there are many objects and few roles. */
function sharedRoles() {
  const sets = new Map<string, ReadonlySet<string>>()
  const wider = new Map<ReadonlySet<string>, Map<string, ReadonlySet<string>>>()
  return (known: ReadonlySet<string> = NO_ROLES, key: string): ReadonlySet<string> => {
    if (known === TOO_MANY_ROLES || known.size >= MAX_ROLES) return TOO_MANY_ROLES
    const made = wider.get(known)?.get(key)
    if (made) return made
    const keys = [...known, key].sort()
    const id = keys.join('\0')
    const set = sets.get(id) ?? new Set(keys)
    sets.set(id, set)
    wider.set(known, (wider.get(known) ?? new Map()).set(key, set))
    return set
  }
}

const NO_ROLES: ReadonlySet<string> = new Set()
