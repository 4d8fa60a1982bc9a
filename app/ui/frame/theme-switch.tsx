import { Form, useLocation, useRouteLoaderData } from 'react-router'
import { setTheme } from '#app/client/state.ts'
import { themes } from '#app/messages/labels.ts'
import { CsrfField } from '#app/ui/forms/csrf-field.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './theme-switch.module.css'

const ICONS = { light: 'sun', dark: 'moon', system: 'screen' } as const

const names = Object.entries(themes) as [keyof typeof themes, string][]

/** Sets the theme of this browser and stays on the page. */
export function ThemeSwitch() {
  const { pathname, search } = useLocation()
  const root = useRouteLoaderData('root') as { theme?: string } | undefined
  return (
    <Form method="post" action="/theme" className={css.switch} preventScrollReset>
      <CsrfField />
      <input type="hidden" name="returnUrl" value={pathname + search} />
      <fieldset className={css.choices}>
        <legend className="visually-hidden">Tema</legend>
        {names.map(([theme, name]) => (
          <button
            key={theme}
            type="submit"
            name="theme"
            value={theme}
            onClick={() => setTheme(theme)}
            className={css.choice}
            aria-pressed={(root?.theme ?? 'system') === theme}
          >
            <Icon name={ICONS[theme]} size={16} />
            {name}
          </button>
        ))}
      </fieldset>
    </Form>
  )
}
