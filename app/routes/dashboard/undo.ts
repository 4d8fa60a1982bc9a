import { type RouterContextProvider, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FlashKey, flash } from '#app/http/cookies/flash.ts'
import { openUndo, type Undo } from '#app/http/cookies/undo-offer.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { safeReturnUrl } from '#app/http/return-url.ts'
import type { UndoOutcome } from '#server/domain/undo.ts'
import { reopenAlert } from '#server/features/alerts/reopen-alert.ts'
import { restoreDocumentList } from '#server/features/checklists/change-document-list.ts'
import { restoreDocumentView } from '#server/features/documents/list/document-views.ts'
import { restoreParty } from '#server/features/parties/restore-party.ts'
import { restoreSessionDocument } from '#server/features/signing-sessions/edit-session-documents.ts'
import { restoreSessionSigner } from '#server/features/signing-sessions/edit-session-signers.ts'
import type { Route } from './+types/undo'

type Context = Readonly<RouterContextProvider>

const Fields = z.object({ undo: z.string(), returnUrl: z.string().optional() })

/** A link to this address undoes nothing. */
export const loader = () => redirect('/dashboard')

/** Undoes the last action of the user and returns to the page of the form. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await orErrorPage(readForm(request, context, Fields))
  const { undo: offer = '', returnUrl } = form.ok ? form.value : {}
  const undo = openUndo(context, offer)
  // Sealed for a session that is over.
  const notice = undo ? await noticeAfter(context, undo) : 'undo-too-late'
  const { publicOrigin } = context.get(systemContext).settings
  return redirect(safeReturnUrl(returnUrl, publicOrigin), {
    status: 303,
    headers: { 'Set-Cookie': flash(notice) },
  })
}

async function noticeAfter(context: Context, undo: Undo): Promise<FlashKey> {
  const answer = await refusalOnPage(perform(context, undo))
  const outcome = answer.ok ? answer.value : 'changed'
  return outcome === 'too-late' ? 'undo-too-late' : NOTICES[undo.kind][outcome]
}

function perform(context: Context, undo: Undo): Promise<UndoOutcome> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  switch (undo.kind) {
    case 'alert':
      return reopenAlert(system, actor, undo)
    case 'view':
      return restoreDocumentView(system, actor, undo)
    case 'party':
      return restoreParty(system, actor, undo)
    case 'signer':
      return restoreSessionSigner(system, actor, undo)
    case 'session-document':
      return restoreSessionDocument(system, actor, undo)
    case 'checklist':
      return restoreDocumentList(system, actor, undo)
  }
}

const NOTICES: Record<Undo['kind'], Record<'undone' | 'changed', FlashKey>> = {
  alert: { undone: 'alert-reopened', changed: 'alert-not-reopened' },
  view: { undone: 'view-restored', changed: 'view-not-restored' },
  party: { undone: 'party-restored', changed: 'party-not-restored' },
  signer: { undone: 'signer-restored', changed: 'session-not-restored' },
  'session-document': { undone: 'session-document-restored', changed: 'session-not-restored' },
  checklist: { undone: 'checklist-restored', changed: 'checklist-not-restored' },
}
