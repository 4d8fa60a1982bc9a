import { z } from 'zod'
import { listWebauthnCredentials } from '#server/db/factors/webauthn-credentials.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUsers, listUsers } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import { findCertificates, listLastCertificatesOf } from '#server/db/trust/certificates.ts'
import { listTrustedMakers } from '#server/db/yubikeys/maker-certificates.ts'
import { listYubikeyAttestations } from '#server/db/yubikeys/yubikey-attestations.ts'
import { listYubikeyChanges } from '#server/db/yubikeys/yubikey-changes.ts'
import { findKeysOfCredentials } from '#server/db/yubikeys/yubikey-credentials.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import { type CertificateId, type UserId, YubikeyId } from '#server/domain/ids.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { AttestationReading } from '#server/domain/yubikeys/attestation-reading.ts'
import { type KeyOrigin, keyOriginOf } from '#server/domain/yubikeys/certificate-in-key.ts'
import {
  type EndOfCredentials,
  endOfCredentials,
} from '#server/domain/yubikeys/credentials-of-a-key.ts'
import {
  MOST_ATTESTATIONS,
  type Yubikey,
  type YubikeyChange,
} from '#server/domain/yubikeys/yubikey.ts'
import type { System } from '#server/system.ts'
import { findYubikeyFor } from './find-yubikey.ts'
import { findRemainingFactors } from './remaining-factors.ts'

/** Changes of a page. */
const PAGE = 20

export const ReadYubikey = z.object({
  yubikeyId: YubikeyId,
  /** The `next` of the previous page of changes. */
  before: z.coerce.number().int().positive().optional(),
})
export type ReadYubikey = z.infer<typeof ReadYubikey>

export type YubikeyDetail = {
  yubikey: Yubikey
  holder: { id: UserId; name: string } | null
  /** The newest of each slot, by slot; read and judged now. */
  attestations: (Extract<AttestationReading, { kind: 'read' }> & { version: number })[]
  /** Whether a root of the maker was added: without one no attestation can be checked. */
  hasMakerRoot: boolean
  /** Null for a key without a holder, or if the reader may not see how its holder signs in. */
  credentials: {
    linked: KeyCredential[]
    /** The holder's other credentials. */
    others: KeyCredential[]
    /** What would follow if the reader reported the key lost. */
    end: EndOfCredentials
  } | null
  /** The certificate whose private key it keeps; null if none is linked. */
  certificate: LinkedCertificate | null
  /** The holder's certificates, the last to end first; empty if the reader may not link one. */
  certificates: Pick<LinkedCertificate, 'id' | 'number'>[]
  /** Newest first. */
  changes: YubikeyChange[]
  /** The `before` of the next page of changes; undefined on the last page. */
  next: number | undefined
  /** Of everyone that the page names. */
  names: ReadonlyMap<UserId, string>
  /** The people who can get it; empty if the reader may not, or it is not in stock. */
  people: { id: UserId; name: string }[]
  may: { manage: boolean; manageOwn: boolean; readMakers: boolean }
  timeZone: string
}

export type KeyCredential = Pick<
  WebauthnCredential,
  'id' | 'name' | 'aaguid' | 'createdAt' | 'state'
>

export type LinkedCertificate = {
  id: CertificateId
  name: string
  number: string
  origin: KeyOrigin
}

/**
 * Everything about one key. Its attestations are read, and their chains built, in a worker.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `pdf-too-complex`
 */
export async function readYubikey(
  system: System,
  actor: Actor,
  { yubikeyId, before }: ReadYubikey,
): Promise<YubikeyDetail> {
  const { db, clock } = system
  const now = clock.now()
  const of = { own: 'yubikeys.read-own', any: 'yubikeys.read' } as const
  const { person, yubikey } = await findYubikeyFor(system, actor, yubikeyId, of, now)
  const office = await findOffice(db, yubikey.officeId)
  if (!office) throw new Problem('not-found', `no office ${yubikey.officeId}`)
  const may = {
    manage: isAllowed(person.roles, 'yubikeys.manage'),
    manageOwn: yubikey.holderId === person.userId,
    readMakers: isAllowed(person.roles, 'yubikeys.read'),
  }
  const found = await listYubikeyChanges(db, yubikeyId, { before, limit: PAGE + 1 })
  const changes = found.slice(0, PAGE)
  const names = await namesIn(db, yubikey, changes)
  const makers = await listTrustedMakers(db, yubikey.officeId)
  const attestations = await readAttestations(system, yubikeyId, makers, now)
  return {
    yubikey,
    holder: yubikey.holderId && {
      id: yubikey.holderId,
      name: names.get(yubikey.holderId) ?? '',
    },
    attestations,
    hasMakerRoot: makers.length > 0,
    credentials: await credentialsOf(db, person, yubikey),
    certificate: await certificateOf(db, yubikey, attestations),
    certificates: may.manage || may.manageOwn ? await certificatesOfHolder(db, yubikey) : [],
    changes,
    next: found.length > PAGE ? changes.at(-1)?.version : undefined,
    names,
    people: may.manage && yubikey.state === 'in-stock' ? await activePeople(db, yubikey) : [],
    may,
    timeZone: office.timeZone,
  }
}

async function namesIn(db: Reader, yubikey: Yubikey, changes: readonly YubikeyChange[]) {
  const ids = changes.flatMap(({ by, holderId }) => [by, ...(holderId ? [holderId] : [])])
  const users = await findUsers(
    db,
    new Set([yubikey.stateBy, ...(yubikey.holderId ? [yubikey.holderId] : []), ...ids]),
  )
  return new Map([...users].map(([id, user]) => [id, fullName(user)]))
}

/** One that an earlier release could read and this one cannot is left out: the history still has it. */
async function readAttestations(
  { db, pdf }: System,
  yubikeyId: YubikeyId,
  makers: readonly Uint8Array[],
  now: Instant,
): Promise<YubikeyDetail['attestations']> {
  const stored = await listYubikeyAttestations(db, yubikeyId, MOST_ATTESTATIONS)
  const newest = stored.filter(
    ({ slot }, index) => stored.findIndex((one) => one.slot === slot) === index,
  )
  const read: YubikeyDetail['attestations'] = []
  for (const { version, certificates } of newest) {
    const reading = await pdf.readAttestation([certificates], makers, now)
    if (reading.kind === 'read') read.push({ ...reading, version })
  }
  return read.toSorted((one, other) => (one.facts.slot < other.facts.slot ? -1 : 1))
}

/** Seen by the holder, and by those who see how others sign in. */
async function credentialsOf(
  db: Reader,
  { userId, roles }: Person,
  { id, holderId, state }: Yubikey,
): Promise<YubikeyDetail['credentials']> {
  if (holderId === null || state !== 'assigned') return null
  if (userId !== holderId && !isAllowed(roles, 'users.read-access')) return null
  const all = await listWebauthnCredentials(db, holderId)
  const keys = await findKeysOfCredentials(
    db,
    all.map((credential) => credential.id),
  )
  const remaining = await findRemainingFactors(db, { id, holderId })
  return {
    linked: all.filter((credential) => keys.get(credential.id) === id).map(shown),
    others: all.filter((credential) => !keys.has(credential.id)).map(shown),
    end: endOfCredentials(remaining, userId === holderId ? 'holder' : 'administrator'),
  }
}

const shown = ({ id, name, aaguid, createdAt, state }: WebauthnCredential): KeyCredential => ({
  ...{ id, name, aaguid, createdAt, state },
})

async function certificateOf(
  db: Reader,
  { certificateId }: Yubikey,
  attestations: YubikeyDetail['attestations'],
): Promise<LinkedCertificate | null> {
  if (certificateId === null) return null
  const held = (await findCertificates(db, [certificateId])).get(certificateId)
  if (!held) return null
  const key = sha256(readCertificate(held.der).publicKey.spki)
  const { id, name, number } = held
  return { id, name, number, origin: keyOriginOf(key, attestations) }
}

/** Certificates of a form. */
const MOST_OFFERED = 20

async function certificatesOfHolder(db: Reader, { holderId, state }: Yubikey) {
  if (holderId === null || state !== 'assigned') return []
  const entries = await listLastCertificatesOf(db, [holderId], MOST_OFFERED)
  return entries.map(({ id, number }) => ({ id, number }))
}

async function activePeople(db: Reader, { officeId }: Yubikey): Promise<YubikeyDetail['people']> {
  const users = await listUsers(db, officeId)
  return users
    .filter(({ state }) => state === 'active')
    .map((user) => ({ id: user.id, name: fullName(user) }))
}
