import { Notice } from '#app/ui/feedback/notice.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import folds from '#app/ui/lists/folds.module.css'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import type { FaultyForm } from './faulty-form.ts'
import css from './person.module.css'
import { PersonActionForm, ReasonedAction } from './person-action-form.tsx'
import type { PersonView } from './person-view.ts'

type Props = {
  view: PersonView
  access: NonNullable<PersonView['access']>
  fault: FaultyForm | undefined
}

/** The activation and recovery links of the person. */
export function PersonLinks({ view, access: { lastLink }, fault }: Props) {
  const { state, password, canManage, isOneself } = view
  return (
    <Sheet title="Invitación y recuperación">
      <FactList>
        <Fact name="Último enlace">
          {lastLink
            ? `Creado el ${lastLink.made}${lastLink.by ? ` por ${lastLink.by}` : ''}. ${lastLink.state}.`
            : 'Ninguno'}
        </Fact>
        <Fact name="Contraseña">
          {password.changed ? `Elegida el ${password.changed}` : 'Todavía no elige una'}
        </Fact>
      </FactList>
      {password.requestedSince && (
        <Notice tone="wait" isLive={false}>
          Debe cambiar su contraseña antes de continuar: lo pidió{' '}
          {password.requestedBy ?? 'un administrador'} el {password.requestedSince}.
        </Notice>
      )}
      {state === 'invited' && (
        <p className={css.quiet}>
          La persona entra con un código de un solo uso. Si lo perdió o venció, cree uno nuevo: el
          anterior deja de servir.
        </p>
      )}
      {state === 'active' && canManage && !isOneself && (
        <>
          <details className={folds.fold}>
            <summary>Olvidó su contraseña</summary>
            <PersonActionForm id={view.id} intent="issue-recovery" className={folds.form}>
              <p className={css.quiet}>
                Con un enlace de recuperación elige otra contraseña. La verificación en dos pasos se
                conserva. Compruebe en persona quién lo pide.
              </p>
              <SubmitButton variant="default" leftSection={<Icon name="key" />}>
                Crear enlace de recuperación
              </SubmitButton>
            </PersonActionForm>
          </details>
          {!password.requestedSince && (
            <ReasonedAction
              id={view.id}
              intent="require-password-change"
              title="Pedir cambio de contraseña"
              meaning="Desde su siguiente paso no podrá hacer nada más hasta elegir otra contraseña."
              button="Pedir cambio"
              fault={fault}
            />
          )}
        </>
      )}
    </Sheet>
  )
}
