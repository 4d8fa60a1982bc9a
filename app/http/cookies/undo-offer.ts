import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext } from '#app/http/context.ts'
import { AlertState } from '#server/domain/alerts/alert.ts'
import { DocumentView } from '#server/domain/documents/document-view.ts'
import { ActId, AlertId, DocumentId, SigningSessionId, UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { DocumentCheck } from '#server/domain/signing/act/checklist.ts'
import { KnownParty } from '#server/domain/signing/session/party.ts'
import { Signer } from '#server/domain/signing/session/signer.ts'
import { Instant } from '#server/domain/time.ts'
import { type FlashKey, flash } from './flash.ts'
import { openText, sealText } from './sealed-text.ts'

type Context = Readonly<RouterContextProvider>

const doneAt = Instant

/** An action that can be undone, with what its undo needs. */
export const Undo = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('alert'), alertId: AlertId, doneAt },
    before: z.object({
      state: AlertState.exclude(['resolved']),
      stateSince: Instant,
      stateBy: UserId.nullable(),
    }),
  }),
  z.object({ kind: z.literal('view'), view: DocumentView, doneAt }),
  z.object({ kind: z.literal('party'), party: KnownParty, doneAt }),
  z.object({ kind: z.literal('signer'), signer: Signer, doneAt }),
  z.object({
    ...{ kind: z.literal('session-document'), signingSessionId: SigningSessionId },
    ...{ documentId: DocumentId, place: z.int().positive(), doneAt },
  }),
  z.object({
    ...{ kind: z.literal('checklist'), documentId: DocumentId, actId: ActId },
    ...{ checks: z.array(DocumentCheck).min(1).readonly(), doneAt },
  }),
])
export type Undo = z.infer<typeof Undo>

/** In characters. Browsers drop a cookie above 4,096 bytes with its name and attributes. */
const LONGEST_OFFER = 3800

/**
 * Like `flash`, with the offer to undo what the message says, sealed for the session. Without the offer if there is
 * nothing to undo, or if it does not fit into a cookie.
 */
export function flashWithUndo(context: Context, key: FlashKey, undo: Undo | null): string {
  const offer = undo && sealText(context, packed(undo), placeOf(context))
  return offer && offer.length <= LONGEST_OFFER ? flash(key, offer) : flash(key)
}

/** Returns what an offer of this session undoes; undefined for any other text. */
export function openUndo(context: Context, offer: string): Undo | undefined {
  const text = openText(context, offer, placeOf(context))
  // Another release may have sealed it in another shape.
  return text === undefined ? undefined : Undo.safeParse(unpacked(text)).data
}

/** The items of a list repeat their ids and times: compressed, a long list fits into the cookie. */
const packed = (undo: Undo) => deflateRawSync(JSON.stringify(undo)).toString('base64')

function unpacked(text: string): unknown {
  try {
    return JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString('utf8'))
  } catch {
    return undefined
  }
}

const placeOf = (context: Context) => `undo:${mustBeSignedIn(context.get(actorContext)).sessionId}`
