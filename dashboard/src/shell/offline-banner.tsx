import { texts } from '../texts.ts'
import classes from '../ui/error-state.module.css'

export const OfflineBanner = () => <div className={classes['offline']} role="status">{texts.offline.banner}</div>
