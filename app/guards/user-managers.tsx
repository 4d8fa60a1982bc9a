import { Outlet } from 'react-router'
import { requireAction } from './require-action.ts'

/** For pages that create users. */
export const middleware = [requireAction('users.manage')]

/** Returns nothing. Without a loader, client navigation would skip the middleware. */
export function loader() {
  return null
}

export default Outlet
