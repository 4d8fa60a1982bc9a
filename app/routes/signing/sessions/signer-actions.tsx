import { useIsKeptForm } from '#app/ui/forms/kept-values.ts'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import folds from '#app/ui/lists/folds.module.css'
import css from './session.module.css'
import { SessionActionForm } from './session-action-form.tsx'
import { faultOf, type SessionFault } from './session-fault.ts'
import type { SessionView, SignerView } from './session-view.ts'
import { type Colleague, ExternalSignerFields, UserSignerFields } from './signer-fields.tsx'

type Props = {
  view: SessionView
  signer: SignerView
  colleagues: readonly Colleague[]
  fault: SessionFault | undefined
}

/** The office's actions on one signer. */
export function SignerActions({ view, signer, colleagues, fault }: Props) {
  if (view.state === 'draft') return <DraftActions view={view} signer={signer} fault={fault} />
  if (view.state !== 'open' || signer.state !== 'pending') return null
  return (
    <>
      {signer.isInTurn && canBeReminded(signer) && (
        <SessionActionForm id={view.id} intent="remind" signerId={signer.id} className={css.inline}>
          <SubmitButton variant="default" size="xs">
            Enviar recordatorio
          </SubmitButton>
        </SessionActionForm>
      )}
      {!signer.hasBegun && (
        <Replacement view={view} signer={signer} colleagues={colleagues} fault={fault} />
      )}
    </>
  )
}

/** A reminder is useless to a signer who cannot sign in. */
const canBeReminded = ({ isExternal, email, hindrance }: SignerView) =>
  isExternal ? email !== null : hindrance !== 'account-suspended'

function DraftActions({ view, signer, fault }: Omit<Props, 'colleagues'>) {
  const own = faultOf(fault, 'move-signer', signer.id)
  return (
    <div className={css.inline}>
      <SessionActionForm
        id={view.id}
        intent="move-signer"
        signerId={signer.id}
        className={css.inline}
      >
        <TextField
          id={`step-${signer.id}`}
          name="step"
          label={
            <>
              Orden<span className="visually-hidden"> de {signer.name}</span>
            </>
          }
          inputMode="numeric"
          size="xs"
          defaultValue={own?.values.step ?? String(signer.step)}
          errors={own?.errors.step}
        />
        <SubmitButton variant="default" size="xs">
          Cambiar orden
        </SubmitButton>
      </SessionActionForm>
      <SessionActionForm id={view.id} intent="remove-signer" signerId={signer.id}>
        <SubmitButton variant="default" size="xs">
          Quitar firmante
        </SubmitButton>
      </SessionActionForm>
    </div>
  )
}

function Replacement({ view, signer, colleagues, fault }: Props) {
  const intent = signer.isExternal ? 'replace-external' : 'replace-user'
  const own = faultOf(fault, intent, signer.id)
  const prefix = `${intent}-${signer.id}`
  const path = `/dashboard/signing/${view.id}`
  const isKept = useIsKeptForm(path, { intent, signerId: signer.id })
  return (
    <details className={folds.fold} open={isKept || own !== undefined}>
      <summary>Sustituir a {signer.name}</summary>
      <SessionActionForm id={view.id} intent={intent} signerId={signer.id} className={folds.form}>
        <p className={css.quiet}>
          Quien le sustituya toma su lugar y su turno. El enlace que tenía deja de servir.
        </p>
        {signer.isExternal ? (
          <ExternalSignerFields prefix={prefix} fault={own} />
        ) : (
          <UserSignerFields prefix={prefix} fault={own} colleagues={colleagues} />
        )}
        <TextField
          id={`${prefix}-reason`}
          name="reason"
          label="Motivo"
          required
          maxLength={500}
          defaultValue={own?.values.reason ?? ''}
          errors={own?.errors.reason}
        />
        <SubmitButton variant="default">Sustituir firmante</SubmitButton>
      </SessionActionForm>
    </details>
  )
}
