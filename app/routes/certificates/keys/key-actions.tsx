import form from '#app/ui/forms/form.module.css'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { type Fault, FoldedAction, KeyActionForm } from './key-action-form.tsx'
import type { KeyView } from './key-view.ts'

type Props = { view: KeyView; fault: Fault | undefined }

/** Hands the key over; its receipt is the next page. */
export function HandOverSheet({ view, fault }: Props) {
  if (!view.may.handOver) return null
  const own = fault?.intent === 'hand-over' ? fault : undefined
  const people = view.people.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div id="entregar">
      <Sheet title="Entregar">
        <KeyActionForm yubikey={view} intent="hand-over" className={form.form}>
          <SelectField
            name="holderId"
            label="A quién se entrega"
            help="Después se muestra el acuse para imprimirlo y firmarlo."
            data={[{ value: '', label: 'Elija a una persona' }, ...people]}
            defaultValue={own?.values.holderId ?? ''}
            errors={own?.errors.holderId}
            required
          />
          <SubmitButton>Entregar llave</SubmitButton>
        </KeyActionForm>
      </Sheet>
    </div>
  )
}

/** What ends the key's use by its holder, or for good. */
export function EndSheet({ view, fault }: Props) {
  const { may } = view
  if (!may.takeBack && !may.takeIn && !may.report && !may.retire) return null
  return (
    <Sheet title="Devolución, pérdida y baja">
      {may.takeBack && (
        <FoldedAction
          yubikey={view}
          intent="take-back"
          title="La devolvió"
          meaning="La llave vuelve al resguardo de la notaría. Las llaves de seguridad ligadas con ella dejan de abrir la cuenta de quien la tenía, y se cierran sus sesiones."
          fault={fault}
        >
          <SubmitButton variant="default">Recibir de vuelta</SubmitButton>
        </FoldedAction>
      )}
      {may.takeIn && (
        <FoldedAction
          yubikey={view}
          intent="take-back"
          title="Apareció"
          meaning="La llave vuelve al resguardo de la notaría. Lo que abría no se restablece: quien la reciba la registra de nuevo en Mi Perfil. Si estuvo en manos de otra persona, mejor dela de baja."
          fault={fault}
        >
          <SubmitButton variant="default">Recibir de vuelta</SubmitButton>
        </FoldedAction>
      )}
      {may.report && (
        <FoldedAction
          yubikey={view}
          intent="lost"
          title="Reportar perdida"
          meaning={`${view.credentials?.outlook ?? 'Nadie la tiene: no abre ninguna cuenta.'} Se avisa a los administradores.`}
          fault={fault}
        >
          <SubmitButton color="bad" variant="light">
            Reportar perdida
          </SubmitButton>
        </FoldedAction>
      )}
      {may.retire && <Retire view={view} fault={fault} />}
    </Sheet>
  )
}

function Retire({ view, fault }: Props) {
  const own = fault?.intent === 'retire' ? fault : undefined
  return (
    <FoldedAction
      yubikey={view}
      intent="retire"
      title="Dar de baja"
      meaning="Ya no se entrega a nadie y no se puede deshacer; su historia se conserva. Las llaves de seguridad ligadas con ella dejan de abrir cuentas. Antes de desecharla, bórrela o destrúyala."
      fault={fault}
    >
      <TextField
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
        Dar de baja
      </SubmitButton>
    </FoldedAction>
  )
}
