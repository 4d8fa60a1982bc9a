import { useIsKeptForm } from '#app/ui/forms/kept-values.ts'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import type { ActChoice } from './act-choices.ts'
import css from './session.module.css'
import { SessionActionForm } from './session-action-form.tsx'
import { faultOf, type SessionFault } from './session-fault.ts'
import { SessionFields } from './session-fields.tsx'
import type { SessionView } from './session-view.ts'

type Props = { view: SessionView; acts: readonly ActChoice[]; fault: SessionFault | undefined }

/** The actions on the whole session: the next step first, cancellation last. */
export function SessionActions({ view, acts, fault }: Props) {
  const { state, canManage, canReject } = view
  const canEnd = canManage && (state === 'draft' || state === 'open' || state === 'expired')
  if (!canEnd && !canReject) return null
  return (
    <Sheet title="Acciones">
      {canManage && state === 'draft' && <DraftActions view={view} acts={acts} fault={fault} />}
      {canManage && (state === 'open' || state === 'expired') && (
        <Extension view={view} fault={fault} />
      )}
      {canReject && (
        <Reasoned
          view={view}
          fault={fault}
          intent="reject"
          title="Rechazar la firma"
          meaning="La sesión termina y nadie más puede firmar en ella. El motivo se comunica a todos."
          button="Rechazar"
        />
      )}
      {canEnd && (
        <Reasoned
          view={view}
          fault={fault}
          intent="cancel"
          title="Cancelar la sesión"
          meaning="Los documentos que nadie firmó vuelven a ser borradores. El motivo se comunica a los firmantes."
          button="Cancelar sesión"
        />
      )}
    </Sheet>
  )
}

function DraftActions({ view, acts, fault }: Props) {
  const own = faultOf(fault, 'change')
  const isKept = useIsKeptForm(`/dashboard/signing/${view.id}`, { intent: 'change' })
  const { title, message, deadlineDay } = view
  const current = { title, message: message ?? '', deadline: deadlineDay, act: view.act?.id ?? '' }
  const values: Record<string, string> = own?.values ?? current
  return (
    <>
      <div className={folds.form}>
        <p className={css.quiet}>
          Antes de abrirla se muestra quién firma, qué y cómo quedará la hoja de firmas.
        </p>
        {view.signers.length > 0 ? (
          <p>
            <ButtonLink
              to={`/dashboard/signing/${view.id}/review`}
              leftSection={<Icon name="sign" />}
            >
              Revisar y abrir
            </ButtonLink>
          </p>
        ) : (
          <p>Agregue al menos un firmante para poder abrirla.</p>
        )}
      </div>
      <details className={folds.fold} open={isKept || own !== undefined}>
        <summary>Cambiar título, acto, mensaje o fecha límite</summary>
        <SessionActionForm id={view.id} intent="change" className={folds.form}>
          <SessionFields values={values} errors={own?.errors} />
          <SelectField
            name="act"
            label="Acto"
            data={[...acts]}
            defaultValue={values.act ?? ''}
            errors={own?.errors.act}
          />
          <SubmitButton variant="default">Guardar</SubmitButton>
        </SessionActionForm>
      </details>
    </>
  )
}

function Extension({ view, fault }: Omit<Props, 'acts'>) {
  const own = faultOf(fault, 'extend')
  const isKept = useIsKeptForm(`/dashboard/signing/${view.id}`, { intent: 'extend' })
  return (
    <details className={folds.fold} open={view.state === 'expired' || isKept || own !== undefined}>
      <summary>Cambiar la fecha límite</summary>
      <SessionActionForm id={view.id} intent="extend" className={folds.form}>
        <TextField
          id="extend-deadline"
          name="deadline"
          type="date"
          label="Nueva fecha límite (opcional)"
          help="Se puede firmar hasta el final de ese día; vacía, sin límite."
          defaultValue={own?.values.deadline ?? ''}
          errors={own?.errors.deadline}
        />
        <SubmitButton variant="default">Cambiar fecha</SubmitButton>
      </SessionActionForm>
    </details>
  )
}

type ReasonedProps = Omit<Props, 'acts'> & {
  intent: 'reject' | 'cancel'
  title: string
  meaning: string
  button: string
}

function Reasoned({ view, fault, intent, title, meaning, button }: ReasonedProps) {
  const own = faultOf(fault, intent)
  const isKept = useIsKeptForm(`/dashboard/signing/${view.id}`, { intent })
  return (
    <details className={folds.fold} open={isKept || own !== undefined}>
      <summary data-ending>{title}</summary>
      <SessionActionForm id={view.id} intent={intent} className={folds.form}>
        <p className={css.quiet}>{meaning}</p>
        <TextField
          id={`${intent}-reason`}
          name="reason"
          label="Motivo"
          required
          maxLength={500}
          defaultValue={own?.values.reason ?? ''}
          errors={own?.errors.reason}
        />
        <SubmitButton color="bad" variant="light">
          {button}
        </SubmitButton>
      </SessionActionForm>
    </details>
  )
}
