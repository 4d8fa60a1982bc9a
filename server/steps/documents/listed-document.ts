import type { Document } from '#server/domain/documents/document.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { blockedTitle } from '#server/words/documents.ts'

/** The document as these roles may list it: of a blocked one, only those who decide about it get title and parties. */
export function listedDocument({ roles }: Pick<Person, 'roles'>, document: Document): Document {
  if (document.blockedAt === null || isAllowed(roles, 'document.read-blocked')) return document
  return { ...document, title: blockedTitle, instrument: null }
}
