import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isArray, type PdfDictionary, type PdfObject } from '#server/domain/pdf/object.ts'

/** Everything that a document leads to from its trailer. */
export type Reach = {
  /**
   * Numbers of all objects that are referred to, missing ones included: to define one later changes what refers
   * to it. Each with the keys under which it is referred to.
   */
  readonly roles: ReadonlyMap<number, ReadonlySet<string>>
}

/** Whether the walk goes through an entry of the dictionary of object `number` (0: the trailer). */
export type EdgeFilter = (number: number, key: string) => boolean

/** Producers keep notes of their own in the trailer; no reader shows what they lead to. */
const TRAILER_KEYS = new Set(['Root', 'Info', 'Encrypt'])
export const whatReadersFollow: EdgeFilter = (number, key) => number !== 0 || TRAILER_KEYS.has(key)

/** @throws {PdfError} `encrypted`, `too-complex` */
export function reachOf(document: PdfDocument, follows: EdgeFilter = () => true): Reach {
  const roles = new Map<number, ReadonlySet<string>>()
  const rolesWith = sharedRoles()
  const waiting: [number: number, key: string][] = []
  /** An explicit stack: values nest, and a stranger chose how deep. */
  const look = (root: PdfObject, owner: number, rootKey: string) => {
    const values: [PdfObject, string, boolean][] = [[root, rootKey, true]]
    for (let next = values.pop(); next; next = values.pop()) {
      const [value, key, isTop] = next
      if (typeof value !== 'object' || value === null) continue
      switch (value.kind) {
        case 'ref': {
          const known = roles.get(value.number)
          if (known?.has(key) || known === TOO_MANY_ROLES) break
          roles.set(value.number, rolesWith(known, key))
          if (!known || isList(value.number)) waiting.push([value.number, key])
          break
        }
        case 'array':
          for (const item of value.items) values.push([item, key, false])
          break
        case 'dictionary':
          pushEntries(value, isTop)
          break
        case 'stream':
          pushEntries(value.dictionary, isTop)
          break
      }
    }
    function pushEntries(dictionary: PdfDictionary, isTop: boolean) {
      for (const [key, item] of dictionary.entries)
        if (!isTop || follows(owner, key)) values.push([item, key, false])
    }
  }
  // What a list holds is referred to as the list is, be it written in its place or as an object of its own.
  const isList = (number: number) => isArray(document.object(number)?.value)
  look(document.trailer, 0, 'trailer')
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [number, key] = next
    look(document.object(number)?.value ?? null, number, key)
  }
  return { roles }
}

/** Honest objects have one or two roles; a stranger could give one a hundred thousand. */
const MAX_ROLES = 16
const TOO_MANY_ROLES: ReadonlySet<string> = new Set(['too many'])

/** A set is made once for all objects that have the same roles: there are many objects and few roles. */
function sharedRoles() {
  const sets = new Map<string, ReadonlySet<string>>()
  return (known: ReadonlySet<string> | undefined, key: string): ReadonlySet<string> => {
    if (known === TOO_MANY_ROLES || (known && known.size >= MAX_ROLES)) return TOO_MANY_ROLES
    const keys = [...(known ?? []), key].sort()
    const id = keys.join('\0')
    const set = sets.get(id) ?? new Set(keys)
    sets.set(id, set)
    return set
  }
}
