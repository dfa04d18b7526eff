import { createRoot } from 'react-dom/client'
import './styles/tokens.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/chat.css'
import './styles/markdown.css'
import './styles/run.css'
import './styles/composer.css'
import './styles/sessions.css'
import './styles/dialogs.css'
import { App } from './app.tsx'
import { followTheme } from './state/theme.ts'

followTheme()
const root = document.querySelector('#root')
if (root) createRoot(root).render(<App />)
