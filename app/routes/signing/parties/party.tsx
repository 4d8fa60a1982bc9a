import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { flashWithUndo } from '#app/http/cookies/undo-offer.ts'
import { readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import type { SessionFault } from '#app/routes/signing/sessions/session-fault.ts'
import { partyFields } from '#app/routes/signing/sessions/session-forms.ts'
import { ExternalSignerFields } from '#app/routes/signing/sessions/signer-fields.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { PartyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { KnownParty } from '#server/domain/signing/session/party.ts'
import { ChangeParty, changeParty } from '#server/features/parties/change-party.ts'
import { readParty } from '#server/features/parties/read-party.ts'
import { removeParty } from '#server/features/parties/remove-party.ts'
import type { Route } from './+types/party'

const PATH = '/dashboard/signing/parties'
const STALE =
  'Los datos cambiaron mientras usted los editaba. Aquí están los actuales: si hace falta, haga su cambio de nuevo.'

const PartyForm = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('change'),
    at: z.coerce.number().pipe(ChangeParty.shape.seenAt),
    ...partyFields,
  }),
  z.object({ intent: z.literal('remove') }),
])

export const handle = { hydrate: true, label: 'Catálogo de partes' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.name ?? 'Parte'} · Rúbrica` },
]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const partyId = await orErrorPage(idOf(params.id))
  return fieldsOf(await orErrorPage(readParty(system, actor, { partyId })))
}

const fieldsOf = ({ id, name, rfc, email, character, at }: KnownParty) => ({
  id,
  name,
  rfc,
  email: email ?? '',
  character,
  at: String(at),
})

export async function action({ request, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const partyId = await orErrorPage(idOf(params.id))
  const read = await orErrorPage(readForm(request, context, PartyForm))
  const values = typedIn(context)
  const faultWith = (errors: SessionFault['errors']): SessionFault => ({
    ...{ intent: 'change', signerId: '', errors, values },
  })
  if (!read.ok) return data(faultWith(read.errors), 422)
  if (read.value.intent === 'remove') {
    const removed = await orErrorPage(removeParty(system, actor, { partyId }))
    const undo = removed && { kind: 'party' as const, ...removed }
    return redirectWith(flashWithUndo(context, 'party-removed', undo))
  }
  const { intent: _, at: seenAt, ...party } = read.value
  const answer = await refusalOnPage(changeParty(system, actor, { partyId, seenAt, data: party }))
  if (answer.ok) return redirectWith(flash('party-changed'))
  const { code, sentence, init } = answer
  if (code !== 'stale-version')
    return data(faultWith({ [code === 'party-known' ? 'rfc' : 'form']: [sentence] }), init)
  const current = fieldsOf(await orErrorPage(readParty(system, actor, { partyId })))
  return data({ ...faultWith({ form: [STALE] }), values: current }, init)
}

const redirectWith = (cookie: string) =>
  redirect(PATH, { status: 303, headers: { 'Set-Cookie': cookie } })

async function idOf(text: string | undefined): Promise<PartyId> {
  const id = PartyId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of a party')
  return id.data
}

export default function PartyPage({ loaderData: party, actionData }: Route.ComponentProps) {
  const at = actionData?.values.at ?? party.at
  return (
    <>
      <PageHead
        title={party.name}
        lead={<PageLink to={PATH}>Volver al catálogo de partes</PageLink>}
      />
      <Sheets>
        <Sheet title="Datos">
          {/* A new key: the fields show the current data instead of what was typed. */}
          <PostForm key={at} className={form.form} noValidate>
            <input type="hidden" name="intent" value="change" />
            <input type="hidden" name="at" value={at} />
            <FormRefusal errors={actionData?.errors.form} />
            <ExternalSignerFields prefix="party" party={party} fault={actionData} />
            <SubmitButton>Guardar</SubmitButton>
          </PostForm>
        </Sheet>
        <Sheet title="Eliminar del catálogo">
          <PostForm className={form.form}>
            <p>
              Se borran su nombre, RFC, correo y carácter. Las sesiones de firma en que ya está los
              conservan. La bitácora guarda que se eliminó, sin esos datos.
            </p>
            <input type="hidden" name="intent" value="remove" />
            <SubmitButton color="bad" variant="light">
              Eliminar del catálogo
            </SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
