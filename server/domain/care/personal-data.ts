import type { AuditAction } from '#server/domain/audit/event.ts'
import type { ArcoKind, ArcoState } from '#server/domain/care/arco-request.ts'
import type { ConsentKind } from '#server/domain/care/consent.ts'
import type { Day } from '#server/domain/day.ts'
import type { CopyKind } from '#server/domain/documents/copies/issued-copy.ts'
import type { DocumentKind } from '#server/domain/documents/document.ts'
import { searchable } from '#server/domain/identity/text.ts'
import type { MailKind, MailState } from '#server/domain/mail/mail.ts'
import type { SignerState } from '#server/domain/signing/session/signer.ts'
import type { Instant } from '#server/domain/time.ts'

/** A document in which the person takes part: neither its content nor its title, which may name others. */
export type NamedDocument = { folio: string; kind: DocumentKind; at: Instant }

/**
 * What an office holds about one person. Nothing in it was written about others: texts that staff wrote, titles, messages and
 * reasons are left out.
 */
export type PersonalData = {
  office: string
  person: { name: string; rfc: string; email: string | null }
  party: { name: string; rfc: string; email: string | null; character: string | null } | null
  account: { name: string; rfc: string; curp: string | null; email: string; since: Instant } | null
  asked: (NamedDocument & {
    name: string
    email: string | null
    character: string | null
    state: SignerState
    stateSince: Instant
  })[]
  signatures: { folio: string; at: Instant; certificate: string }[]
  certificates: {
    number: string
    issuer: string
    curp: string | null
    from: Instant
    to: Instant
  }[]
  consents: { kind: ConsentKind; at: Instant; folio: string | null; notice: string | null }[]
  copies: { folio: string; kind: CopyKind; ordinal: number; on: Day }[]
  mails: { kind: MailKind; address: string; at: Instant; state: MailState }[]
  requests: { number: string; kind: ArcoKind; on: Day; state: ArcoState }[]
  /** Of the person, with where they came from; about the person, without who acted. */
  events: { at: Instant; action: AuditAction; own: { ip: string; device: string } | null }[]
  /** Records with the RFC of the person and the name of another: they are counted, and not given out. */
  withOtherName: number
  /** Lists of which the office holds more than is here. */
  cut: readonly CutList[]
}

/** The lists that may be cut. */
export const CUT_LISTS = [
  'certificates',
  'consents',
  'copies',
  'mails',
  'requests',
  'events',
] as const
export type CutList = (typeof CUT_LISTS)[number]

/** Words of names that say nothing. */
const PARTICLES = new Set(['de', 'del', 'la', 'las', 'los', 'y'])

const wordsOf = (name: string): string[] => [
  ...new Set(
    searchable(name)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 1 && !PARTICLES.has(word)),
  ),
]

/**
 * Whether two records may be of one person by their names: all words of the shorter name are in the other. An RFC can be typed wrongly
 * and be that of another person, and siblings share an address and two names.
 */
export function isNameOf(one: string, other: string): boolean {
  const [shorter = [], longer = []] = [wordsOf(one), wordsOf(other)].toSorted(
    (words, others) => words.length - others.length,
  )
  return shorter.length > 0 && shorter.every((word) => longer.includes(word))
}

/** Behind these words a character names another person: `Representante de …`. */
const BEHIND = /\s+(?:de|del|por|para|a|al|en|ante|con|y)\s.*$/iu

/** Of a declared character what is said of the person alone: `Representante`. */
export const ownCharacter = (character: string | null): string | null =>
  character === null
    ? null
    : character
        .split('\n')
        .map((line) => line.replace(BEHIND, '').trim())
        .join(', ')
