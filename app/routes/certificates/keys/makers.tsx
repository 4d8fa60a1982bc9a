import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { useIsKeptForm } from '#app/ui/forms/kept-values.ts'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Reason } from '#server/domain/identity/factor-removal.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatDay, formatInstant } from '#server/domain/time.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import {
  type ListedMaker,
  listMakerCertificates,
} from '#server/features/yubikeys/list-maker-certificates.ts'
import { removeMakerCertificate } from '#server/features/yubikeys/remove-maker-certificate.ts'
import type { Route } from './+types/makers'
import type { Fault } from './key-action-form.tsx'

const PATH = '/dashboard/certificates/keys/makers'

export const handle = { hydrate: true, label: 'Raíces del fabricante' }

export const meta: Route.MetaFunction = () => [{ title: 'Raíces del fabricante · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const makers = await orErrorPage(listMakerCertificates(system, actor))
  return {
    canManage: isAllowed(mustBeSignedIn(actor).roles, 'yubikeys.manage'),
    makers: makers.map((maker) => makerView(maker, timeZone)),
  }
}

const makerView = (maker: ListedMaker, zone: string) => ({
  ...{ sha256: maker.sha256, name: maker.name, state: maker.state, reason: maker.reason },
  role: maker.role === 'root' ? 'Raíz' : 'Intermedio',
  isTest: maker.forTesting,
  validity: `Del ${formatDay(maker.notBefore, zone)} al ${formatDay(maker.notAfter, zone)}`,
  decided: `${formatInstant(maker.since, zone)}, por ${maker.by}`,
})

const RemoveForm = z.strictObject({
  sha256: Sha256,
  reason: withSentence(Reason, 'Escriba el motivo, de 10 a 300 caracteres. Queda en la bitácora.'),
})

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await orErrorPage(readForm(request, context, RemoveForm))
  const values = typedIn(context)
  const intent = values.sha256 ?? ''
  if (!form.ok) return data({ intent, errors: form.errors, values } satisfies Fault, 422)
  const work = removeMakerCertificate(system, actor, form.value)
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) throw await orErrorPage(work)
  return redirect(PATH, { status: 303, headers: { 'Set-Cookie': flash('maker-removed') } })
}

export default function Makers({ loaderData, actionData }: Route.ComponentProps) {
  const { makers, canManage } = loaderData
  const fault: Fault | undefined = actionData
  return (
    <>
      <PageHead
        title="Raíces del fabricante"
        lead={<PageLink to="/dashboard/certificates/keys">Volver a YubiKeys</PageLink>}
        action={canManage && <ButtonLink to={`${PATH}/new`}>Agregar raíz</ButtonLink>}
      />
      <Sheets>
        <Notice tone="note" isLive={false}>
          Con estos certificados se comprueba que una clave se creó en una YubiKey. No cuentan para
          ninguna firma: una raíz agregada aquí nunca hace válida una firma, y una autoridad de
          Configuración nunca prueba una atestación.
        </Notice>
        {makers.length === 0 && (
          <EmptyState>
            No se ha agregado la raíz del fabricante; las atestaciones no se pueden comprobar.
            Descárguela del sitio del fabricante y compare su huella por otro medio.
          </EmptyState>
        )}
        {makers.map((maker) => (
          <MakerSheet key={maker.sha256} maker={maker} canManage={canManage} fault={fault} />
        ))}
      </Sheets>
    </>
  )
}

type Props = {
  maker: ReturnType<typeof makerView>
  canManage: boolean
  fault: Fault | undefined
}

function MakerSheet({ maker, canManage, fault }: Props) {
  const isTrusted = maker.state === 'trusted'
  return (
    <Sheet
      title={maker.name}
      aside={
        <span>
          {maker.isTest && <Badge tone="wait">de prueba</Badge>}{' '}
          <Badge tone={isTrusted ? 'good' : 'plain'}>{isTrusted ? 'Cuenta' : 'Ya no cuenta'}</Badge>
        </span>
      }
    >
      <FactList>
        <Fact name="Tipo">{maker.role}</Fact>
        <Fact name="Vigencia">{maker.validity}</Fact>
        <Fact name="Huella digital (SHA-256)" help="fingerprint">
          <Hash value={maker.sha256} />
        </Fact>
        <Fact name={isTrusted ? 'Agregada' : 'Retirada'}>{maker.decided}</Fact>
        <Fact name="Motivo">{maker.reason}</Fact>
      </FactList>
      {canManage && isTrusted && <RemoveFold sha256={maker.sha256} fault={fault} />}
    </Sheet>
  )
}

function RemoveFold({ sha256, fault }: { sha256: string; fault: Fault | undefined }) {
  const own = fault?.intent === sha256 ? fault : undefined
  const isKept = useIsKeptForm(PATH, { sha256 })
  return (
    <details className={folds.fold} open={isKept || own !== undefined}>
      <summary data-ending>Dejar de confiar</summary>
      <PostForm action={PATH} className={folds.form} noValidate preventScrollReset>
        <input type="hidden" name="sha256" value={sha256} />
        <p>Las atestaciones que llevan a ella dejan de estar comprobadas.</p>
        <TextField
          id={`field-reason-${sha256.slice(0, 8)}`}
          name="reason"
          label="Motivo"
          help="De 10 a 300 caracteres. Queda en la bitácora."
          required
          minLength={10}
          maxLength={300}
          defaultValue={own?.values.reason ?? ''}
          errors={own?.errors.reason}
        />
        <SubmitButton color="bad" variant="light">
          Dejar de confiar
        </SubmitButton>
      </PostForm>
    </details>
  )
}
