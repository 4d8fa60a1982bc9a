import { Badge } from '#app/ui/feedback/badge.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { userStates } from '#server/words/people.ts'
import css from './person.module.css'
import { PersonActionForm } from './person-action-form.tsx'
import type { PersonView } from './person-view.ts'
import { STATE_TONES } from './state-tones.ts'

/** The person's name, account state and next step. */
export function PersonHead({ view }: { view: PersonView }) {
  return (
    <>
      <PageHead
        title={view.name}
        lead={<PageLink to="/dashboard/users">Volver a Usuarios</PageLink>}
        action={<NextAction view={view} />}
      />
      <p className={css.standing}>
        <Badge tone={STATE_TONES[view.state]}>{userStates[view.state]}</Badge>
        <span>desde el {view.stateSince}</span>
      </p>
    </>
  )
}

function NextAction({ view }: { view: PersonView }) {
  const { id, canManage, isOneself, state, access } = view
  const page = `/dashboard/users/${id}`
  if (isOneself)
    return (
      <ButtonLink to="/dashboard/profile" variant="default">
        Mi Perfil
      </ButtonLink>
    )
  if (!canManage) return null
  if (access?.removal?.canApprove)
    return (
      <ButtonLink to={`${page}#dos-pasos`} leftSection={<Icon name="shield" />}>
        Revisar solicitud
      </ButtonLink>
    )
  if (state === 'invited')
    return (
      <PersonActionForm id={id} intent="renew-invitation">
        <SubmitButton leftSection={<Icon name="key" />}>Crear enlace nuevo</SubmitButton>
      </PersonActionForm>
    )
  if (state === 'suspended')
    return (
      <ButtonLink to={`${page}#estado`} leftSection={<Icon name="check" />}>
        Reactivar
      </ButtonLink>
    )
  return null
}
