import type { FormEvent } from 'react'
import { Form } from 'react-router'
import { logOut } from '#app/client/session.ts'
import { labels } from '#app/messages/labels.ts'
import { CsrfField } from '#app/ui/forms/csrf-field.tsx'
import { ThemeSwitch } from '#app/ui/frame/theme-switch.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './avatar-menu.module.css'
import { useClosingDetails } from './use-closing-details.ts'

/** The menu of the signed-in user, under their initials. @param office where they are, if there is another to switch to */
export function AvatarMenu({ initials, office }: { initials: string; office: string | null }) {
  const ref = useClosingDetails()
  return (
    <details ref={ref} className={css.menu}>
      <summary className={css.avatar}>
        <span aria-hidden="true">{initials}</span>
        <span className="visually-hidden">Menú de {initials}</span>
      </summary>
      <div className={css.panel}>
        <PageLink to="/dashboard/profile" className={css.entry}>
          <Icon name="people" />
          {labels.myProfile}
        </PageLink>
        {office !== null && (
          <PageLink to="/dashboard/profile/offices" className={css.entry}>
            <Icon name="office" />
            <span>
              {labels.switchOffice}
              <span className={css.office}>Ahora en {office}</span>
            </span>
          </PageLink>
        )}
        <Form method="post" action="/logout" reloadDocument onSubmit={leave}>
          <CsrfField />
          <button type="submit" className={css.entry}>
            <Icon name="leave" />
            {labels.signOut}
          </button>
        </Form>
        <div className={css.theme}>
          <ThemeSwitch />
        </div>
      </div>
    </details>
  )
}

/** Signs out by a call; without scripts, or on failure, by the form. */
function leave(event: FormEvent<HTMLFormElement>) {
  event.preventDefault()
  const form = event.currentTarget
  void logOut(() => form.submit())
}
