/** Texts of what the console has tested and gathered beside requests; part of the console's catalogue. */
export const en = {
  checkAssetsAmount: 'Check assets amount',
  refreshHardware: 'Refresh hardware information',
  refreshHardwareSelected: 'Refresh hardware information of selected',
  refreshNodeHardware: 'Update node asset hardware information',
  testConnectivity: 'Test connectivity',
  testNodeConnectivity: 'Test node asset connectivity',
  testNow: 'Test',
  testSelected: 'Test selected',
  verifyAccount: 'Verify account',
  verifySelected: 'Verify selected',
}

type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  checkAssetsAmount: '检查资产数量',
  refreshHardware: '更新硬件信息',
  refreshHardwareSelected: '更新所选硬件信息',
  refreshNodeHardware: '更新节点资产硬件信息',
  testConnectivity: '测试可连接性',
  testNodeConnectivity: '测试节点资产可连接性',
  testNow: '测试',
  testSelected: '测试所选',
  verifyAccount: '测试账号可连接性',
  verifySelected: '测试所选账号',
}

export const ja: Messages = {
  checkAssetsAmount: '資産数を確認',
  refreshHardware: 'ハードウェア情報を更新',
  refreshHardwareSelected: '選択した資産のハードウェア情報を更新',
  refreshNodeHardware: 'ノード資産のハードウェア情報を更新',
  testConnectivity: '接続性をテスト',
  testNodeConnectivity: 'ノード資産の接続性をテスト',
  testNow: 'テスト',
  testSelected: '選択した項目をテスト',
  verifyAccount: 'アカウントを検証',
  verifySelected: '選択したアカウントを検証',
}
