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
import { isNameOf, ownCharacter, type PersonalData } from '#server/domain/care/personal-data.ts'
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
/** Of each list but that of signers: an archive is made in memory. */
const MOST_ROWS = 10_000

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
  const certificates = await listCertificatesWithRfc(db, person, MOST_ROWS)
  const copies = await listCopiesWithRfc(db, person, MOST_ROWS)
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
    certificates: certificates
      .filter((row) => isTheirs(row.name))
      .map(({ number, issuer, curp, not_before: from, not_after: to }) => ({
        ...{ number, issuer, curp, from, to },
      })),
    consents: await gatherConsents(db, person, isTheirs),
    copies: copies
      .filter((row) => row.of !== 'will' && isTheirs(row.recipient_name))
      .map((row) => ({
        ...{ folio: row.folio, kind: CopyKind.parse(row.kind), ordinal: row.ordinal },
        on: Day.parse(row.issued_on),
      })),
    mails: await gatherMails(db, person, addresses),
    requests: await gatherRequests(db, person),
    ...(await gatherEvents(db, office.id, {
      actors: [...signers, ...(ownAccount ? [ownAccount.id] : [])],
      subjects: [...(own ? [own.id] : []), ...(ownAccount ? [ownAccount.id] : [])],
    })),
    withOtherName: counted.withOtherName,
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
): Promise<PersonalData['consents']> {
  const records = await listConsentRecords(db, { officeId, rfc, limit: MOST_ROWS })
  const own = records.filter(({ name }) => isTheirs(name))
  const documents = await findDocuments(
    db,
    own.flatMap(({ documentId }) => documentId ?? []),
  )
  return own.flatMap(({ kind, at, documentId, notice }) => {
    const document = documentId === null ? undefined : documents.get(documentId)
    if (document?.kind === 'will') return []
    return [{ ...{ kind, at, notice }, folio: document?.folio ?? null }]
  })
}

/** Several people may share an address: a mail belongs to the one that it names. */
async function gatherMails(
  db: Reader,
  { officeId, name }: Asking,
  addresses: ReadonlySet<string | null>,
): Promise<PersonalData['mails']> {
  const mails: PersonalData['mails'] = []
  for (const address of addresses) {
    if (address === null) continue
    const rows = await listMailTo(db, { officeId, address }, MOST_ROWS)
    for (const row of rows)
      if (isNameOf(name, row.to_name))
        mails.push({
          ...{ kind: MailKind.parse(row.kind), state: MailState.parse(row.state) },
          ...{ address: row.to_address, at: row.created_at },
        })
  }
  return mails
}

async function gatherRequests(
  db: Reader,
  { officeId, rfc, name }: Asking,
): Promise<PersonalData['requests']> {
  const requests = await listArcoRequestsOf(db, { officeId, rfc }, MOST_ROWS)
  return requests
    .filter((request) => isNameOf(name, request.name))
    .map((request) => ({
      ...{ number: arcoNumber(request), kind: request.kind },
      ...{ on: request.receivedOn, state: request.state },
    }))
}

async function gatherEvents(
  db: Reader,
  officeId: OfficeId,
  { actors, subjects }: { actors: readonly string[]; subjects: readonly string[] },
): Promise<Pick<PersonalData, 'events' | 'hasOlderEvents'>> {
  const letOthersRun = turnTaker()
  const found = new Map<number, PersonalData['events'][number]>()
  let hasOlderEvents = false
  const add = async (of: { actor: string } | { subjectId: string }) => {
    if (found.size >= MOST_ROWS) {
      hasOlderEvents = true
      return
    }
    const rows = await listEventsOf(db, { officeId, ...of }, MOST_ROWS)
    if (rows.length === MOST_ROWS) hasOlderEvents = true
    for (const { seq, at, action, ip, device } of rows.map(toRecorded)) {
      const own = 'actor' in of ? { ip, device } : null
      if (!found.has(seq)) found.set(seq, { at, action, own })
    }
    await letOthersRun()
  }
  for (const actor of actors) await add({ actor })
  for (const subjectId of subjects) await add({ subjectId })
  return { events: [...found.values()].toSorted((one, other) => one.at - other.at), hasOlderEvents }
}
