import { randomBytes } from 'node:crypto'
import { acceptStamp } from '#server/adapters/pdf-work/accept-stamp.ts'
import { openPrivateKey, type PrivateKeyOutcome } from '#server/domain/pkcs/private-key.ts'
import { after, type Instant } from '#server/domain/time.ts'
import { timeStampRequest } from '#server/domain/timestamp/time-stamp-request.ts'
import type { AuthorityQuestion, RevocationSource } from '#server/ports/revocation-source.ts'
import type { SignerKeys } from '#server/ports/signer-keys.ts'
import type { TimestampAuthorities } from '#server/ports/timestamp-authorities.ts'
import type { System } from '#server/system.ts'
import { createConstanciaProvider } from './constancia-provider.ts'
import { answerOcsp, LIFE as OCSP_LIFE } from './ocsp-responder.ts'
import type { AuthorityServices } from './serve-authority.ts'
import { answerTimestamp } from './timestamp-authority.ts'

/** Makes the services of a system that has this clock. */
export type DemoServices = (
  system: Pick<System, 'clock' | 'pdf'>,
) => Pick<
  System,
  'timestamps' | 'revocation' | 'publicRevocation' | 'constancias' | 'signerKeys' | 'publicPdf'
>

/** The authorities of the demo, asked without a network: while the demo office is made, no address answers yet. */
export function directServices({
  register,
  timestamps,
  constancias,
}: AuthorityServices): DemoServices {
  const provider = createConstanciaProvider(constancias)
  const signerKeys = openedOnce()
  const memory: OcspMemory = new Map()
  return (system) => {
    const revocation = revocationBy(system, register, memory)
    return {
      ...{ revocation, publicRevocation: revocation, publicPdf: system.pdf, signerKeys },
      timestamps: stamping(system, timestamps),
      constancias: {
        ask: async (_, request) => ({
          kind: 'answered',
          body: provider.answer(request, system.clock.now()),
        }),
        reach: async () => undefined,
      },
    }
  }
}

function stamping(
  { clock }: Pick<System, 'clock'>,
  authority: AuthorityServices['timestamps'],
): TimestampAuthorities {
  return {
    async stamp(digest, [asked], policy) {
      if (!asked) return { kind: 'unavailable', failures: [] }
      const request = { digest, nonce: randomBytes(16), policy: asked.policy }
      const now = clock.now()
      const answer = answerTimestamp(timeStampRequest(request), authority, now)
      const accepted = acceptStamp({ answer, request, now }, policy)
      if (accepted.kind === 'refused')
        throw new Error(`the demo's own timestamp was refused: ${accepted.fault}`)
      const { token, time, pathEnds } = accepted
      const by = { by: asked.name, byId: asked.id }
      return { kind: 'stamped', token, time, pathEnds, ...by, failures: [] }
    },
  }
}

/** The last answer about each certificate, by its DER in base64. */
type OcspMemory = Map<string, { der: Uint8Array; at: Instant }>

/** While an answer holds, it is given again: as a server does that remembers what it asked. */
function revocationBy(
  { clock, pdf }: Pick<System, 'clock' | 'pdf'>,
  register: AuthorityServices['register'],
  memory: OcspMemory,
): RevocationSource {
  function answerTo({ certificate, request }: AuthorityQuestion): Uint8Array {
    const [id, at] = [Buffer.from(certificate).toString('base64'), clock.now()]
    const known = memory.get(id)
    if (known && known.at <= at && at < after(known.at, OCSP_LIFE)) return known.der
    const der = answerOcsp(request, register, at)
    memory.set(id, { der, at })
    return der
  }
  const answersTo: RevocationSource['answersTo'] = async (questions) => ({
    ocsp: questions.map((question) => ({ der: answerTo(question), source: 'fetched' })),
    crls: [],
  })
  return {
    answersTo,
    answersAbout: async (certificates, policy, options) =>
      answersTo(await pdf.questionsAbout(certificates, policy, options), policy),
  }
}

/** A thread for each opening protects the keys of signers; these are no secrets. */
function openedOnce(): SignerKeys {
  const opened = new Map<string, Promise<PrivateKeyOutcome>>()
  return {
    openPrivateKey(file, password) {
      const id = Buffer.from(file).toString('base64')
      const known = opened.get(id) ?? openPrivateKey(file, password)
      opened.set(id, known)
      return known
    },
    openPkcs12: () => Promise.reject(new Error('the demo makes no PKCS#12 files')),
  }
}
