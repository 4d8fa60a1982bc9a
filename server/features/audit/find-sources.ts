import { z } from 'zod'
import type { LogSource } from '#server/db/audit/event-pages.ts'
import { listUsers } from '#server/db/people/users.ts'
import { findKnownPartiesByRfc } from '#server/db/signing-sessions/parties.ts'
import { listSessionIdsOf } from '#server/db/signing-sessions/session-documents.ts'
import { AuditAction } from '#server/domain/audit/event.ts'
import { wordsIn } from '#server/domain/documents/search/folded.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { findPage } from '#server/steps/documents/find-page.ts'
import type { System } from '#server/system.ts'
import { auditActions } from '#server/words/audit/audit-actions.ts'
import { SENTENCES, type Template } from '#server/words/audit/audit-templates.ts'

/** Of each kind the newest, of people the first by name; more would make a page read more than it may. */
const MOST_DOCUMENTS = 20
const MOST_SESSIONS = 20
const MOST_PEOPLE = 10

/** Where in the log the events are that a search asks for. */
export type Sources = {
  among: LogSource[]
  /** Whether more documents, sessions or people fit than were looked at, or documents cannot be found yet. */
  isPartial: boolean
}

type Reader = Pick<Person, 'officeId' | 'roles'>

/**
 * Finds the events of a search by what it names: documents as the search of documents finds them with their sessions, people,
 * the party with an RFC, and kinds of events by the words of their names. `Núñez firmado` asks for events of kinds with “firmado” about
 * or by what “Núñez” names.
 */
export async function findSources(
  system: Pick<System, 'db' | 'clock'>,
  reader: Reader,
  text: string,
): Promise<Sources> {
  const id = z.uuid().safeParse(text.trim().toLowerCase())
  if (id.success) return { among: [{ subjectId: id.data }], isPartial: false }
  const words = wordsIn(text)
  if (words.length === 0) return { among: [], isPartial: false }
  const { actions, rest } = kindsIn(words)
  const named = await findNamed(system, reader, text)
  if (rest.length === 0)
    return { ...named, among: [...named.among, ...actions.map((action) => ({ action }))] }
  if (actions.length === 0) return named
  const others = await findNamed(system, reader, rest.join(' '))
  return {
    among: [...named.among, ...others.among.map((source) => ({ ...source, actions }))],
    isPartial: named.isPartial || others.isPartial,
  }
}

type Kinds = { actions: AuditAction[]; rest: string[] }

/** Also by the verbs of their sentences, unless a verb only looks like the name of a person: “Marco firmado”. */
function kindsIn(words: readonly string[]): Kinds {
  const shown = kindsNamed(words, SHOWN)
  return shown.actions.length > 0 ? shown : kindsNamed(words, NAMES)
}

/** The kinds of events whose names have all those words that begin a word of any name; and the other words. */
function kindsNamed(words: readonly string[], names: typeof NAMES): Kinds {
  const isOfName = (word: string) => names.some((name) => hasWord(name.words, word))
  const known = words.filter(isOfName)
  const actions = known.length === 0 ? [] : names.filter((name) => hasAll(name.words, known))
  return {
    actions: actions.map(({ action }) => action),
    rest: words.filter((word) => !isOfName(word)),
  }
}

const NAMES = AuditAction.options.map((action) => ({
  action,
  words: wordsIn(auditActions[action]),
}))

/** With the verbs of the sentences: what a row shows is found. */
const SHOWN = NAMES.map(({ action, words }) => ({
  action,
  words: [...words, ...verbsOf(SENTENCES[action])],
}))

function verbsOf(sentence: Template): string[] {
  const text = typeof sentence === 'string' ? sentence : `${sentence.own} ${sentence.other}`
  return wordsIn((text.match(/\p{L}+ó(?!\p{L})/gu) ?? []).join(' '))
}

/** A word of two letters and more asks for a beginning, as in the search of documents. */
const hasWord = (words: readonly string[], asked: string) =>
  words.some((word) => word === asked || (asked.length > 1 && word.startsWith(asked)))

const hasAll = (words: readonly string[], asked: readonly string[]) =>
  asked.every((word) => hasWord(words, word))

async function findNamed(
  system: Pick<System, 'db' | 'clock'>,
  { officeId, roles }: Reader,
  text: string,
): Promise<Sources> {
  const { db } = system
  const page = await findPage(system, { officeId, text, limit: MOST_DOCUMENTS })
  const documents = page.areSimilar ? [] : page.documents.map(({ id }) => id)
  const sessions = await listSessionIdsOf(db, documents, MOST_SESSIONS + 1)
  const asked = wordsIn(text)
  const users = (await listUsers(db, officeId))
    .filter((user) => hasAll(wordsIn(fullName(user)), asked))
    .map(({ id }) => id)
  const people = users.slice(0, MOST_PEOPLE)
  const rfc = Rfc.safeParse(text)
  const isParty = rfc.success && isAllowed(roles, 'signing-sessions.manage')
  const parties = await findKnownPartiesByRfc(db, officeId, isParty ? [rfc.data] : [])
  const subjects = [
    ...documents,
    ...sessions.slice(0, MOST_SESSIONS),
    ...people,
    ...[...parties.values()].map(({ id }) => id),
  ]
  return {
    among: [
      ...subjects.map((subjectId) => ({ subjectId })),
      ...people.map((actorId) => ({ actorId })),
    ],
    isPartial:
      page.isIncomplete ||
      (!page.areSimilar && page.next !== undefined) ||
      sessions.length > MOST_SESSIONS ||
      users.length > MOST_PEOPLE,
  }
}
