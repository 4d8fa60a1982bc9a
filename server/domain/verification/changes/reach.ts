import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { linksOf, type Path } from './links.ts'

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

/** Whether the walk goes all the way. */
function isFollowed(follows: EdgeFilter, owner: number, path: Path): boolean {
  for (let part: Path = path; part.above; part = part.above)
    if (!follows(owner, part.way)) return false
  return true
}

/**
 * @param visit called once with each number, when its object was read
 * @throws {PdfError} `encrypted`, `too-complex`
 */
export function reachOf(
  document: PdfDocument,
  follows: EdgeFilter = () => true,
  visit?: (number: number) => void,
): Reach {
  const links = linksOf(document)
  const roles = new Map<number, ReadonlySet<string>>()
  const rolesWith = sharedRoles()
  const waiting: [number: number, key: string][] = []
  const visitOnce = visit && once(visit)
  const isArray = (number: number) => {
    const answer = links.isArray(number)
    visitOnce?.(number)
    return answer
  }
  let owner = 0
  let ownKey = 'trailer'
  const meet = (target: number, path: Path): void => {
    if (!isFollowed(follows, owner, path)) return
    // What a list holds is referred to as the list is, be it written in its place or as an object of its own.
    const key = path.above ? path.key : ownKey
    const known = roles.get(target)
    if (known?.has(key) || known === TOO_MANY_ROLES) return
    roles.set(target, rolesWith(known, key))
    if (!known || isArray(target)) waiting.push([target, key])
  }
  links.inTrailer(meet)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    ;[owner, ownKey] = next
    links.inObject(owner, meet)
    visitOnce?.(owner)
  }
  return { roles }
}

function once(use: (number: number) => void): (number: number) => void {
  const seen = new Set<number>()
  return (number) => {
    if (seen.has(number)) return
    seen.add(number)
    use(number)
  }
}

/** A way to an object: from which object, and its path there. */
export type Edge = readonly [owner: number, path: string]

/**
 * Calls `use` with each way to an object, from all that the document leads to.
 *
 * @throws {PdfError} `encrypted`, `too-complex`
 */
export function eachEdge(
  document: PdfDocument,
  follows: EdgeFilter,
  use: (target: number, edge: Edge) => void,
): void {
  const links = linksOf(document)
  const seen = new Set<number>([0])
  const waiting: number[] = []
  let owner = 0
  const meet = (target: number, path: Path): void => {
    if (!isFollowed(follows, owner, path)) return
    use(target, [owner, path.way])
    if (seen.has(target)) return
    seen.add(target)
    waiting.push(target)
  }
  links.inTrailer(meet)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    owner = next
    links.inObject(owner, meet)
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
  eachEdge(document, follows, (target, [owner, path]) => {
    if (!isPlace(owner, path)) linked.add(target)
  })
  return linked
}

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
