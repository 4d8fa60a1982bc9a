import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FlashKey, flash } from '#app/http/cookies/flash.ts'
import { flashWithUndo } from '#app/http/cookies/undo-offer.ts'
import { declaredCharacter } from '#app/http/declared-character.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { NOTARIAL_NAME } from '#app/messages/labels.ts'
import { Day, endOfDay } from '#server/domain/day.ts'
import { Email } from '#server/domain/identity/email.ts'
import { nameClaimsNotarialOffice } from '#server/domain/identity/notarial-claim.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { DeclaredCharacter } from '#server/domain/identity/signing-character.ts'
import { ActId, DocumentId, SignerId, type SigningSessionId, UserId } from '#server/domain/ids.ts'
import { SignerName } from '#server/domain/signing/session/signer.ts'
import {
  Reason,
  SigningSessionMessage,
  SigningSessionTitle,
} from '#server/domain/signing/session/signing-session.ts'
import { isSendingMail } from '#server/features/mail/read-mail-server.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { changeSigningSession } from '#server/features/signing-sessions/change-signing-session.ts'
import {
  addSessionDocuments,
  moveSessionDocument,
  removeSessionDocument,
} from '#server/features/signing-sessions/edit-session-documents.ts'
import {
  addSessionSigner,
  moveSessionSigner,
  removeSessionSigner,
} from '#server/features/signing-sessions/edit-session-signers.ts'
import { extendSigningSession } from '#server/features/signing-sessions/extend-signing-session.ts'
import { remindSigner } from '#server/features/signing-sessions/remind-signer.ts'
import { replaceSessionSigner } from '#server/features/signing-sessions/replace-session-signer.ts'
import type { RequestedSigner } from '#server/features/signing-sessions/session-data.ts'

/** An optional field. */
const orNothing = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === undefined ? null : value), schema)

const DAY = withSentence(
  orNothing(Day.nullable()),
  'Escriba una fecha que exista, como 2026-11-20.',
)

/** The fields of a session. */
export const sessionFields = {
  title: withSentence(SigningSessionTitle, 'Escriba un título, hasta 200 caracteres.'),
  message: withSentence(
    SigningSessionMessage,
    'Escriba un mensaje de hasta 2,000 caracteres.',
  ).default(''),
  deadline: DAY.default(null),
} satisfies Record<string, z.ZodType>

/** The act of a session; absent where the form does not ask for it. */
export const actField = withSentence(
  z
    .string()
    .transform((text) => text || null)
    .pipe(ActId.nullable()),
  'Elija un acto de la lista.',
).optional()

/** The last instant of the day in the office's time zone. */
export const deadlineOf = (day: Day | null, zone: string) => day && endOfDay(day, zone)

const step = withSentence(
  z.coerce.number().int().positive().max(40),
  'Escriba un número del 1 al 40.',
).default(1)
const reason = withSentence(Reason, 'Escriba el motivo, hasta 500 caracteres.')

/** Present where a person who signed before is asked again on purpose. */
const again = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on')

/** Null where role and capacity say it. */
export const characterOfUser = declaredCharacter(
  orNothing(DeclaredCharacter.nullable()),
  'Escriba hasta 80 caracteres.',
)

const userFields = {
  kind: z.literal('user'),
  userId: withSentence(UserId, 'Elija a una persona de la notaría.'),
  character: characterOfUser.default(null),
  again,
  step,
}

/** What is asked of an external person, for a session or the catalogue. */
export const partyFields = {
  name: withSentence(SignerName, 'Escriba el nombre completo, hasta 120 caracteres.').refine(
    (name) => !nameClaimsNotarialOffice(name),
    NOTARIAL_NAME,
  ),
  email: withSentence(
    orNothing(Email.nullable()),
    'Escriba un correo electrónico completo, o deje el campo vacío.',
  ).default(null),
  rfc: withSentence(Rfc, 'Escriba el RFC de 13 caracteres, como aparece en su e.firma.'),
  character: declaredCharacter(
    DeclaredCharacter,
    'Escriba en qué carácter firma, como Compareciente, hasta 80 caracteres.',
  ),
}

const externalFields = { kind: z.literal('external'), ...partyFields, again, step }

/** The forms of a session's page. */
export const SessionForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('change'), ...sessionFields, act: actField }),
  z.object({
    intent: z.literal('add-document'),
    documentId: withSentence(
      z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(DocumentId).min(1)),
      'Marque al menos un borrador de la lista.',
    ),
  }),
  z.object({ intent: z.literal('remove-document'), documentId: DocumentId }),
  z.object({
    intent: z.literal('move-document'),
    documentId: DocumentId,
    direction: z.enum(['up', 'down']),
  }),
  z.object({ intent: z.literal('add-user'), ...userFields }),
  z.object({ intent: z.literal('add-external'), ...externalFields }),
  z.object({ intent: z.literal('move-signer'), signerId: SignerId, step }),
  z.object({ intent: z.literal('remove-signer'), signerId: SignerId }),
  z.object({ intent: z.literal('extend'), deadline: DAY.default(null) }),
  z.object({ intent: z.literal('cancel'), reason }),
  z.object({ intent: z.literal('reject'), reason }),
  z.object({ intent: z.literal('remind'), signerId: SignerId }),
  z.object({ intent: z.literal('replace-user'), signerId: SignerId, reason, ...userFields }),
  z.object({
    intent: z.literal('replace-external'),
    signerId: SignerId,
    reason,
    ...externalFields,
  }),
])
export type SessionForm = z.output<typeof SessionForm>

/**
 * Runs the use case of the form.
 *
 * @returns the cookie with the message for the next page
 */
export async function perform(
  context: Readonly<RouterContextProvider>,
  id: SigningSessionId,
  form: SessionForm,
): Promise<string> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const to = { signingSessionId: id }
  switch (form.intent) {
    case 'remove-document': {
      const { documentId } = form
      const removed = await removeSessionDocument(system, actor, { ...to, documentId })
      const undo = removed && { kind: 'session-document' as const, ...removed }
      return flashWithUndo(context, 'session-document-removed', undo)
    }
    case 'remove-signer': {
      const { signerId } = form
      const removed = await removeSessionSigner(system, actor, { ...to, signerId })
      const undo = removed && { kind: 'signer' as const, ...removed }
      return flashWithUndo(context, 'signer-removed', undo)
    }
    default:
      return flash(await change(context, id, form))
  }
}

type Change = Exclude<SessionForm, { intent: 'remove-document' | 'remove-signer' }>

/** Runs the use cases that have no undo. Returns the message. */
async function change(
  context: Readonly<RouterContextProvider>,
  id: SigningSessionId,
  form: Change,
): Promise<FlashKey> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const to = { signingSessionId: id }
  switch (form.intent) {
    case 'change': {
      const { timeZone } = await readOffice(system, actor)
      const { title, message, act } = form
      const deadline = deadlineOf(form.deadline, timeZone)
      await changeSigningSession(system, actor, {
        ...to,
        title,
        message: message || null,
        deadline,
        actId: act,
      })
      return 'session-changed'
    }
    case 'add-document':
      await addSessionDocuments(system, actor, { ...to, documentIds: form.documentId })
      return 'session-changed'
    case 'move-document': {
      const { documentId, direction } = form
      await moveSessionDocument(system, actor, { ...to, documentId, direction })
      return 'session-changed'
    }
    case 'add-user':
    case 'add-external': {
      const added = { ...to, signer: signerFrom(form), again: form.again }
      const outcome = await addSessionSigner(system, actor, added)
      return outcome === 'joined' ? 'signer-joined' : 'signer-added'
    }
    case 'move-signer':
      await moveSessionSigner(system, actor, { ...to, signerId: form.signerId, step: form.step })
      return 'session-changed'
    case 'extend': {
      const { timeZone } = await readOffice(system, actor)
      const deadline = deadlineOf(form.deadline, timeZone)
      await extendSigningSession(system, actor, { ...to, deadline })
      return 'session-extended'
    }
    case 'cancel':
      await cancelSigningSession(system, actor, { ...to, reason: form.reason })
      return 'session-cancelled'
    case 'reject':
      await rejectSigning(system, actor, { ...to, reason: form.reason })
      return 'session-rejected'
    case 'remind':
      await remindSigner(system, actor, { ...to, signerId: form.signerId })
      return (await isSendingMail(system, actor)) ? 'signer-reminded' : 'signer-reminder-waits'
    case 'replace-user':
    case 'replace-external': {
      const { signerId, reason, again } = form
      const by = signerFrom(form)
      await replaceSessionSigner(system, actor, { ...to, signerId, reason, by, again })
      return 'signer-replaced'
    }
  }
}

function signerFrom(form: Extract<SessionForm, { kind: string }>): RequestedSigner {
  if (form.kind === 'user') {
    const { kind, userId, character, step } = form
    return { kind, userId, character, step }
  }
  const { kind, name, email, rfc, character, step } = form
  return { kind, name, email, rfc, character, step }
}
