import type { Category } from '@sallyport/contract/assets/types'
import { Cloud, Database, Device, Web } from '@sallyport/contract/resources/asset-categories'
import { Host } from '@sallyport/contract/resources/assets'
import { Page } from '../../../kit/page/page.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { cloudForm, databaseForm, deviceForm, hostForm, webForm } from './asset-form.ts'
import { AssetsOf } from './asset-list.tsx'

const pageOf = (category: Category) =>
  function CategoryPage() {
    return (
      <Page>
        <AssetsOf category={category} />
      </Page>
    )
  }

/** The lists and forms of assets by category; the detail of an asset is that of the common list. */
export const hosts = screens(Host, { page: pageOf('host'), form: hostForm })
export const devices = screens(Device, { page: pageOf('device'), form: deviceForm })
export const databases = screens(Database, { page: pageOf('database'), form: databaseForm })
export const clouds = screens(Cloud, { page: pageOf('cloud'), form: cloudForm })
export const webs = screens(Web, { page: pageOf('web'), form: webForm })
