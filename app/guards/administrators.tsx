import { Outlet } from 'react-router'
import { requireRoles } from './role.ts'

/** For pages that are of use to administrators alone. */
export const middleware = [requireRoles('ADMIN')]

/** Holds nothing. Without a loader the guard would not run when the browser navigates by itself. */
export function loader() {
  return null
}

export default Outlet
