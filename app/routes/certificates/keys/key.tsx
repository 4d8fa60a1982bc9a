import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { ReadYubikey, readYubikey } from '#server/features/yubikeys/read-yubikey.ts'
import type { Route } from './+types/key'
import { CertificateSheet } from './certificate-sheet.tsx'
import type { Fault } from './key-action-form.tsx'
import { EndSheet, HandOverSheet } from './key-actions.tsx'
import { KeyForm, perform } from './key-forms.ts'
import { KeyHistory } from './key-history.tsx'
import { keyIdOf } from './key-id.ts'
import { AttestationSheet, CredentialsSheet, KeySheet } from './key-sheets.tsx'
import { type KeyView, keyView } from './key-view.ts'

const LIST = '/dashboard/certificates/keys'

/** The query parameters; an invalid one is ignored. */
const Query = z.object({ before: ReadYubikey.shape.before.catch(undefined) })

export const handle = { hydrate: true, label: 'YubiKey' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? titleOf(loaderData.view) : 'YubiKey'} · Rúbrica` },
]

const titleOf = ({ model, serial }: Pick<KeyView, 'model' | 'serial'>) => `${model} ${serial}`

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { before } = Query.parse(Object.fromEntries(url.searchParams))
  const yubikeyId = await orErrorPage(keyIdOf(params.id))
  const detail = await orErrorPage(readYubikey(system, actor, { yubikeyId, before }))
  return { view: keyView(detail), isLaterPage: before !== undefined }
}

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const yubikeyId = await orErrorPage(keyIdOf(params.id))
  const form = await orErrorPage(readForm(request, context, KeyForm))
  const values = typedIn(context)
  const intent = values.intent ?? ''
  if (!form.ok) return data({ intent, errors: form.errors, values } satisfies Fault, 422)
  const work = perform(context, yubikeyId, form.value)
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status !== 409) await orErrorPage(work)
    const errors = { form: [answer.sentence] }
    return data({ intent, errors, values } satisfies Fault, answer.init)
  }
  const { notice, path = '' } = answer.value
  return redirect(`${LIST}/${yubikeyId}${path}`, {
    status: 303,
    headers: { 'Set-Cookie': flash(notice) },
  })
}

export default function YubikeyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, isLaterPage } = loaderData
  const fault: Fault | undefined = actionData
  const path = `${LIST}/${view.id}`
  return (
    <>
      <PageHead
        title={titleOf(view)}
        lead={<PageLink to={LIST}>Volver a YubiKeys</PageLink>}
        action={<NextAction view={view} path={path} />}
      />
      <Sheets>
        <FormRefusal errors={fault?.errors.form} />
        <KeySheet view={view} />
        <HandOverSheet view={view} fault={fault} />
        <AttestationSheet view={view} />
        <CertificateSheet view={view} fault={fault} />
        <CredentialsSheet view={view} fault={fault} />
        <EndSheet view={view} fault={fault} />
      </Sheets>
      <KeyHistory path={path} history={view.history} isLaterPage={isLaterPage} />
    </>
  )
}

function NextAction({ view, path }: { view: KeyView; path: string }) {
  if (view.may.handOver)
    return (
      <ButtonLink to="#entregar" leftSection={<Icon name="people" />}>
        Entregar
      </ButtonLink>
    )
  const handover = view.history.changes.find(({ receipt }) => receipt)
  if (view.state !== 'assigned' || !handover) return null
  return (
    <ButtonLink
      to={`${path}/receipts/${handover.version}`}
      variant="default"
      leftSection={<Icon name="print" />}
    >
      Acuse de entrega
    </ButtonLink>
  )
}
