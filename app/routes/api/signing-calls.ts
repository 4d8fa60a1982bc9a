import { fromBase64, toBase64 } from '#server/domain/bytes.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { toTimestamp } from '#server/domain/time.ts'
import { completeSignature } from '#server/features/signatures/complete-signature.ts'
import { listMyTurns } from '#server/features/signatures/list-my-turns.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { defineCall } from './define-call.ts'
import { Refused } from './refused.ts'
import {
  completeRequest,
  completeResponse,
  documentPath,
  listTurnsQuery,
  listTurnsResponse,
  preparedPath,
  prepareRequest,
  prepareResponse,
  turnCursor,
  turnCursorText,
} from './signing-schemas.ts'

/** Of a page. Agents of earlier releases read the first one only. */
const MOST_LISTED = 1000

export const listTurns = defineCall({
  name: 'listTurns',
  method: 'GET',
  template: '/signing/turns',
  summary: 'Lists the documents of open signing sessions that wait for the owner of the token.',
  access: 'access-token',
  query: listTurnsQuery,
  response: listTurnsResponse,
  async reply({ system, actor, query }) {
    const person = mustBeSignedIn(actor)
    const behind = query.behind === undefined ? undefined : turnCursor.parse(query.behind)
    const wanted = { turn: 'now', limit: MOST_LISTED, behind } as const
    const { documents, next } = await listMyTurns(system, actor, wanted)
    return {
      body: {
        name: fullName(person),
        rfc: person.rfc,
        documents: documents.map(({ document, version, session }) => ({
          documentId: document.id,
          folio: document.folio,
          title: document.title,
          version: version.version,
          sha256: version.sha256,
          pages: version.pages,
          session: session.title,
          deadline: session.deadline === null ? null : toTimestamp(session.deadline),
        })),
        next: next ? turnCursorText(next) : null,
      },
    }
  },
})

export const prepare = defineCall({
  name: 'prepareSignature',
  method: 'POST',
  template: '/signing/documents/{documentId}/prepare',
  summary: 'Prepares a signature by this certificate and reserves the document for two minutes.',
  access: 'access-token',
  path: documentPath,
  request: prepareRequest,
  response: prepareResponse,
  refusals: [404, 409],
  async reply({ system, actor, path: { documentId }, body }) {
    const { version } = body
    const input = { documentId, version, certificate: fromBase64(body.certificate) }
    const outcome = await prepareSignature(system, actor, input, 'pkcs11')
    if (outcome.kind === 'refused')
      throw new Refused({ status: 422, code: outcome.code, detail: outcome.sentence })
    const { id, toBeSigned, digest, documentSha256, expiresAt } = outcome
    return {
      body: {
        preparedId: id,
        toBeSigned: toBase64(toBeSigned),
        digest: toBase64(digest),
        documentSha256,
        expiresAt: toTimestamp(expiresAt),
      },
    }
  },
})

export const complete = defineCall({
  name: 'completeSignature',
  method: 'POST',
  template: '/signing/prepared/{preparedId}/complete',
  summary:
    'Completes the signature with the output of the key. A repeated call returns the same response.',
  access: 'access-token',
  path: preparedPath,
  request: completeRequest,
  response: completeResponse,
  refusals: [404, 409],
  async reply({ system, actor, path: { preparedId }, body }) {
    const signature = fromBase64(body.signature)
    return { body: await completeSignature(system, actor, { preparedId, signature }) }
  },
})
