import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { newOnce } from '#app/http/once.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp, requireRecentProof } from '#app/http/step-up.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { OnceField } from '#app/ui/forms/once-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import {
  type RegisterYubikeyOutcome,
  registerYubikey,
} from '#server/features/yubikeys/register-yubikey.ts'
import { attestationFaults, formFactors, sentenceOfConflict } from '#server/words/yubikeys.ts'
import type { Route } from './+types/new'
import { AttestationFields } from './attestation-fields.tsx'
import { RegistrationForm, typedAgain } from './registration-form.ts'

const PATH = '/dashboard/certificates/keys'

export const handle = { hydrate: true, label: 'Registrar YubiKey' }

export const meta: Route.MetaFunction = () => [{ title: 'Registrar YubiKey · Rúbrica' }]

/** Steps up before the form: a form with a file cannot be kept. */
export function loader({ context, url }: Route.LoaderArgs) {
  requireRecentProof({ context, url })
  return { once: newOnce() }
}

type Answer = { errors: FormErrors; values: Record<string, string> }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, RegistrationForm))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const values = typedAgain(read.value)
  const work = registerYubikey(system, actor, read.value)
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status !== 409) await orErrorPage(work)
    const field = answer.code === 'yubikey-known' ? 'serial' : 'form'
    return data<Answer>({ errors: { [field]: [answer.sentence] }, values }, answer.init)
  }
  const outcome = answer.value
  if (outcome.kind !== 'registered') return data<Answer>({ errors: errorsOf(outcome), values }, 422)
  return redirect(`${PATH}/${outcome.id}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('yubikey-registered') },
  })
}

function errorsOf(outcome: Exclude<RegisterYubikeyOutcome, { kind: 'registered' }>): FormErrors {
  switch (outcome.kind) {
    case 'unreadable':
      return { statement: [attestationFaults[outcome.fault]] }
    case 'serial-missing':
      return {
        serial: [
          'Escriba el número de serie que lleva grabado, o elija una atestación que lo diga.',
        ],
      }
    case 'conflict':
      return Object.fromEntries(
        outcome.conflicts.map((conflict) => [conflict.field, [sentenceOfConflict(conflict)]]),
      )
  }
}

const FORMS = [
  { value: '', label: 'Sin anotar' },
  ...Object.entries(formFactors).map(([value, label]) => ({ value, label })),
]

const MODELS = [
  ...['YubiKey 5 NFC', 'YubiKey 5C NFC', 'YubiKey 5C', 'YubiKey 5 Nano', 'YubiKey 5C Nano'],
  ...['YubiKey 5Ci', 'YubiKey 5 NFC FIPS', 'YubiKey 5C NFC FIPS', 'YubiKey Bio'],
]

export default function NewYubikey({ loaderData, actionData }: Route.ComponentProps) {
  const { errors, values }: Partial<Answer> = actionData ?? {}
  return (
    <>
      <PageHead title="Registrar YubiKey" lead={<PageLink to={PATH}>Volver a YubiKeys</PageLink>} />
      <Sheets>
        <Sheet>
          <PostForm
            encType="multipart/form-data"
            className={`${form.form} ${form.long}`}
            noValidate
          >
            <OnceField once={loaderData.once} />
            <FormRefusal errors={errors?.form} />
            <TextField
              name="serial"
              label="Número de serie"
              help="Las cifras grabadas en la llave. Si agrega una atestación, puede dejarlo vacío."
              inputMode="numeric"
              autoComplete="off"
              maxLength={12}
              defaultValue={values?.serial ?? ''}
              errors={errors?.serial}
            />
            <TextField
              name="model"
              label="Modelo"
              help="Como lo dice la caja: YubiKey 5C NFC."
              autoComplete="off"
              list="models"
              maxLength={60}
              required
              defaultValue={values?.model ?? ''}
              errors={errors?.model}
            />
            <datalist id="models">
              {MODELS.map((model) => (
                <option key={model} value={model} />
              ))}
            </datalist>
            <TextField
              name="firmware"
              label="Firmware (opcional)"
              help="La versión del programa de la llave, como 5.4.3."
              autoComplete="off"
              maxLength={11}
              defaultValue={values?.firmware ?? ''}
              errors={errors?.firmware}
            />
            <SelectField
              name="formFactor"
              label="Forma (opcional)"
              data={FORMS}
              defaultValue={values?.formFactor ?? ''}
              errors={errors?.formFactor}
            />
            <AttestationFields errors={errors} isOptional />
            <SubmitButton>Registrar YubiKey</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
