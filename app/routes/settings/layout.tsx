import { Outlet } from 'react-router'
import { actorContext } from '#app/http/context.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Route } from './+types/layout'
import { sectionsFor } from './menu/sections.ts'
import css from './menu/settings-menu.module.css'
import { SettingsMenu } from './menu/settings-menu.tsx'

export function loader({ context }: Route.LoaderArgs) {
  return { sections: sectionsFor(mustBeSignedIn(context.get(actorContext)).roles) }
}

/** The settings: a menu of their sections beside the open page. */
export default function SettingsLayout({ loaderData: { sections } }: Route.ComponentProps) {
  if (sections.length === 0) return <Outlet />
  return (
    <div className={css.frame}>
      <SettingsMenu sections={sections} />
      <div>
        <Outlet />
      </div>
    </div>
  )
}
