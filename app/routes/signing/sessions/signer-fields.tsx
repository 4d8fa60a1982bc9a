import { CheckboxField } from '#app/ui/forms/checkbox-field.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import type { SessionFault } from './session-fault.ts'

/** A party of the catalogue, as the fields of a signer. */
export type OfferedParty = {
  id: string
  name: string
  rfc: string
  email: string
  character: string
}

export type Colleague = { value: string; label: string }

type Props = {
  /** Prefix of the field ids: the page has several of these forms. */
  prefix: string
  fault: SessionFault | undefined
  /** Undefined if it cannot be selected. */
  step?: number
}

/** A signer of the office. */
export function UserSignerFields({
  prefix,
  fault,
  step,
  colleagues,
}: Props & { colleagues: readonly Colleague[] }) {
  return (
    <>
      <input type="hidden" name="kind" value="user" />
      <SelectField
        id={`${prefix}-userId`}
        name="userId"
        label="Persona"
        data={[{ value: '', label: 'Elija a una persona' }, ...colleagues]}
        defaultValue={fault?.values.userId ?? ''}
        errors={fault?.errors.userId ?? fault?.errors.rfc}
      />
      <TextField
        id={`${prefix}-character`}
        name="character"
        label="Carácter declarado (opcional)"
        help="Vacío: notarios y abogados firman en su calidad vigente ese día. Escríbalo si la persona firma como parte o testigo."
        autoComplete="off"
        maxLength={80}
        defaultValue={fault?.values.character ?? ''}
        errors={fault?.errors.character}
      />
      <AgainField prefix={prefix} fault={fault} />
      <StepField prefix={prefix} fault={fault} step={step} />
    </>
  )
}

/** @param party data of the catalogue that the form begins with */
export function ExternalSignerFields({
  prefix,
  fault,
  step,
  party,
}: Props & { party?: OfferedParty | undefined }) {
  const field = (name: Exclude<keyof OfferedParty, 'id'>) => ({
    id: `${prefix}-${name}`,
    name,
    defaultValue: fault?.values[name] ?? party?.[name] ?? '',
    errors: fault?.errors[name],
    // The browser would offer the data of the person at the keyboard.
    autoComplete: 'off',
  })
  return (
    <>
      <input type="hidden" name="kind" value="external" />
      <TextField {...field('name')} label="Nombre completo" required maxLength={120} />
      <TextField
        {...field('rfc')}
        label="RFC"
        help="Solo podrá firmar la e.firma con este RFC."
        required
        maxLength={20}
        spellCheck={false}
      />
      <TextField
        {...field('character')}
        label="Carácter declarado"
        help="Como Compareciente, Vendedora o Apoderado. Si la persona firma en varios caracteres, agréguela una vez con cada uno: se le pide una sola firma."
        required
        maxLength={80}
      />
      <TextField
        {...field('email')}
        type="email"
        label="Correo electrónico (opcional)"
        help="Ahí recibe su enlace; sin él, usted se lo muestra en pantalla."
        maxLength={254}
      />
      <AgainField prefix={prefix} fault={fault} />
      <StepField prefix={prefix} fault={fault} step={step} />
    </>
  )
}

/** Shown only after a refusal, so that no signer is added twice by accident. */
function AgainField({ prefix, fault }: Pick<Props, 'prefix' | 'fault'>) {
  if (!fault?.errors.again) return null
  return (
    <CheckboxField
      id={`${prefix}-again`}
      name="again"
      value="on"
      label="Pedirle que firme este documento otra vez"
      errors={fault.errors.again}
    />
  )
}

function StepField({
  prefix,
  fault,
  step,
}: Pick<Props, 'prefix' | 'fault'> & { step: number | undefined }) {
  if (step === undefined) return null
  return (
    <TextField
      // The page stays mounted when the other form adds a signer, and the next turn is another one.
      key={step}
      id={`${prefix}-step`}
      name="step"
      inputMode="numeric"
      label="Orden"
      help="Firma primero el número más bajo; con el mismo número, en cualquier orden."
      required
      defaultValue={fault?.values.step ?? String(step)}
      errors={fault?.errors.step}
    />
  )
}
