import { toRecorded } from '#server/db/audit/audit-events.ts'
import { listArcoRequestsOf } from '#server/db/care/arco-requests.ts'
import { listConsentRecords } from '#server/db/care/consents.ts'
import {
  type AskedSigner,
  listCertificatesWithRfc,
  listCopiesWithRfc,
  listDocumentsOfSessions,
  listEventsOf,
  listMailTo,
  listSignaturesOfSigners,
  listSignersWithRfc,
} from '#server/db/care/personal-rows.ts'
import { findDocuments } from '#server/db/documents/documents.ts'
import { listUsers } from '#server/db/people/users.ts'
import { findKnownPartiesByRfc } from '#server/db/signing-sessions/parties.ts'
import type { Reader } from '#server/db/transaction.ts'
import { type ArcoRequest, arcoNumber } from '#server/domain/care/arco-request.ts'
import type { ConsentRecord } from '#server/domain/care/consent.ts'
import {
  CUT_LISTS,
  isNameOf,
  ownCharacter,
  type PersonalData,
} from '#server/domain/care/personal-data.ts'
import { Day } from '#server/domain/day.ts'
import { CopyKind } from '#server/domain/documents/copies/issued-copy.ts'
import { DocumentKind } from '#server/domain/documents/document.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { Rfc } from '#server/domain/identity/rfc.ts'
import type { OfficeId, SignerId } from '#server/domain/ids.ts'
import { MailKind, MailState } from '#server/domain/mail/mail.ts'
import { SignerState } from '#server/domain/signing/session/signer.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'

/** Rows that are read together. */
const CHUNK = 500
/** Of each list but that of signers, and of the events of each actor: an archive is made in memory. */
const MOST_ROWS = 10_000
/** Of all actors together: a bank's representative may have signed in any number of sessions. */
const MOST_EVENTS = 100_000

type Asking = { officeId: OfficeId; rfc: Rfc; name: string }

/**
 * Everything that the office holds about the person of a request, found by the RFC and, for mail, by address and name. Wills and what
 * was written by or about others are left out. Other requests run in between.
 */
export async function gatherPersonalData(
  db: Reader,
  office: Office,
  { name, rfc, email }: Pick<ArcoRequest, 'name' | 'email'> & { rfc: Rfc },
): Promise<PersonalData> {
  const person: Asking = { officeId: office.id, rfc, name }
  const counted = { withOtherName: 0 }
  const isTheirs = (recorded: string) => {
    const isSame = isNameOf(name, recorded)
    if (!isSame) counted.withOtherName += 1
    return isSame
  }
  const { asked, signers, emails } = await gatherSigners(db, person, isTheirs)
  const party = (await findKnownPartiesByRfc(db, office.id, [rfc])).get(rfc)
  const own = party && isTheirs(party.name) ? party : undefined
  const account = (await listUsers(db, office.id)).find((user) => user.rfc === rfc)
  const ownAccount = account && isTheirs(fullName(account)) ? account : undefined
  const addresses = new Set([email, own?.email ?? null, ownAccount?.email ?? null, ...emails])
  const certificates = await gatherRows(
    (last: Last) => listCertificatesWithRfc(db, person, { behind: last?.id, limit: CHUNK }),
    (row) => isTheirs(row.name),
  )
  const consents = await gatherConsents(db, person, isTheirs)
  const copies = await gatherRows(
    (last: Last) => listCopiesWithRfc(db, person, { behind: last?.id, limit: CHUNK }),
    (row) => row.of !== 'will' && isTheirs(row.recipient_name),
  )
  const mails = await gatherMails(db, person, addresses)
  const requests = await gatherRows(
    (last: Last) => listArcoRequestsOf(db, person, { behind: last?.id, limit: CHUNK }),
    (request) => isNameOf(name, request.name),
  )
  const events = await gatherEvents(db, office.id, {
    actors: [...signers, ...(ownAccount ? [ownAccount.id] : [])],
    subjects: [...(own ? [own.id] : []), ...(ownAccount ? [ownAccount.id] : [])],
  })
  const lists = { certificates, consents, copies, mails, requests, events }
  return {
    office: office.name,
    person: { name, rfc, email },
    party: own
      ? {
          ...{ name: own.name, rfc: own.rfc, email: own.email },
          character: ownCharacter(own.character),
        }
      : null,
    account: ownAccount
      ? {
          ...{ name: fullName(ownAccount), rfc: ownAccount.rfc, curp: ownAccount.curp },
          ...{ email: ownAccount.email, since: ownAccount.createdAt },
        }
      : null,
    asked,
    signatures: await gatherSignatures(db, signers),
    certificates: certificates.rows.map(
      ({ number, issuer, curp, not_before: from, not_after: to }) => ({
        ...{ number, issuer, curp, from, to },
      }),
    ),
    consents: consents.rows,
    copies: copies.rows.map((row) => ({
      ...{ folio: row.folio, kind: CopyKind.parse(row.kind), ordinal: row.ordinal },
      on: Day.parse(row.issued_on),
    })),
    mails: mails.rows,
    requests: requests.rows.map((request) => ({
      ...{ number: arcoNumber(request), kind: request.kind },
      ...{ on: request.receivedOn, state: request.state },
    })),
    events: events.rows,
    withOtherName: counted.withOtherName,
    cut: CUT_LISTS.filter((list) => lists[list].isCut),
  }
}

/** Rows of a list, and whether there are more. */
type Gathered<Row> = { rows: Row[]; isCut: boolean }

/** The last row that was read. */
type Last = { id: string } | undefined

/** The rows that are of the person, of all that a list has. @param read a chunk behind the last row */
async function gatherRows<Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
  isOwn: (row: Row) => boolean,
): Promise<Gathered<Row>> {
  const letOthersRun = turnTaker()
  const rows: Row[] = []
  for (let last: Row | undefined; ; ) {
    const found = await read(last)
    rows.push(...found.filter(isOwn))
    if (rows.length > MOST_ROWS) return { rows: rows.slice(0, MOST_ROWS), isCut: true }
    last = found.at(-1)
    if (found.length < CHUNK) return { rows, isCut: false }
    await letOthersRun()
  }
}

type IsTheirs = (recorded: string) => boolean

async function gatherSigners(db: Reader, person: Asking, isTheirs: IsTheirs) {
  const letOthersRun = turnTaker()
  const asked: PersonalData['asked'] = []
  const signers: SignerId[] = []
  const emails = new Set<string>()
  for (let behind: SignerId | undefined; ; ) {
    const found = await listSignersWithRfc(db, person, { behind, limit: CHUNK })
    const own = found.filter((signer) => isTheirs(signer.name))
    asked.push(...(await documentsOf(db, own)))
    for (const { id, email } of own) {
      signers.push(id)
      if (email) emails.add(email)
    }
    behind = found.at(-1)?.id
    if (found.length < CHUNK) return { asked, signers, emails }
    await letOthersRun()
  }
}

async function documentsOf(
  db: Reader,
  signers: readonly AskedSigner[],
): Promise<PersonalData['asked']> {
  const rows = await listDocumentsOfSessions(
    db,
    signers.map(({ sessionId }) => sessionId),
  )
  const bySession = Map.groupBy(
    rows.filter(({ kind }) => kind !== 'will'),
    (row) => row.signing_session_id,
  )
  return signers.flatMap(({ name, email, character, state, stateSince, sessionId }) =>
    (bySession.get(sessionId) ?? []).map((row) => ({
      ...{ folio: row.folio, kind: DocumentKind.parse(row.kind), at: row.created_at },
      ...{ name, email, character: ownCharacter(character) },
      ...{ state: SignerState.parse(state), stateSince },
    })),
  )
}

async function gatherSignatures(
  db: Reader,
  signers: readonly SignerId[],
): Promise<PersonalData['signatures']> {
  const rows = await listSignaturesOfSigners(db, signers)
  return rows
    .filter(({ kind }) => kind !== 'will')
    .map(({ folio, signed_at: at, number }) => ({ folio, at, certificate: number }))
}

async function gatherConsents(
  db: Reader,
  { officeId, rfc }: Asking,
  isTheirs: IsTheirs,
): Promise<Gathered<PersonalData['consents'][number]>> {
  const { rows: own, isCut } = await gatherRows(
    (behind: ConsentRecord | undefined) =>
      listConsentRecords(db, { officeId, rfc, behind, limit: CHUNK }),
    ({ name }) => isTheirs(name),
  )
  const documents = await findDocuments(
    db,
    own.flatMap(({ documentId }) => documentId ?? []),
  )
  const rows = own.flatMap(({ kind, at, documentId, notice }) => {
    const document = documentId === null ? undefined : documents.get(documentId)
    if (document?.kind === 'will') return []
    return [{ ...{ kind, at, notice }, folio: document?.folio ?? null }]
  })
  return { rows, isCut }
}

/** Several people may share an address: a mail belongs to the one that it names. */
async function gatherMails(
  db: Reader,
  { officeId, name }: Asking,
  addresses: ReadonlySet<string | null>,
): Promise<Gathered<PersonalData['mails'][number]>> {
  const mails: PersonalData['mails'] = []
  let isCut = false
  for (const address of addresses) {
    if (address === null) continue
    const own = await gatherRows(
      (last: Last) => listMailTo(db, { officeId, address }, { behind: last?.id, limit: CHUNK }),
      (row) => isNameOf(name, row.to_name),
    )
    isCut ||= own.isCut
    for (const row of own.rows)
      mails.push({
        ...{ kind: MailKind.parse(row.kind), state: MailState.parse(row.state) },
        ...{ address: row.to_address, at: row.created_at },
      })
  }
  return { rows: mails, isCut }
}

async function gatherEvents(
  db: Reader,
  officeId: OfficeId,
  { actors, subjects }: { actors: readonly string[]; subjects: readonly string[] },
): Promise<Gathered<PersonalData['events'][number]>> {
  const letOthersRun = turnTaker()
  const found = new Map<number, PersonalData['events'][number]>()
  let isCut = false
  const add = async (of: { actor: string } | { subjectId: string }) => {
    if (found.size >= MOST_EVENTS) {
      isCut = true
      return
    }
    const rows = await listEventsOf(db, { officeId, ...of }, MOST_ROWS + 1)
    if (rows.length > MOST_ROWS) isCut = true
    for (const { position, at, action, ip, device } of rows.slice(0, MOST_ROWS).map(toRecorded)) {
      const own = 'actor' in of ? { ip, device } : null
      if (!found.has(position)) found.set(position, { at, action, own })
    }
    await letOthersRun()
  }
  for (const actor of actors) await add({ actor })
  for (const subjectId of subjects) await add({ subjectId })
  const rows = [...found.values()].toSorted((one, other) => one.at - other.at)
  return { rows, isCut }
}
