/** What is said of files that are imported. */
import { catalogue } from '../language.ts'

export const errors = catalogue({
  en: {
    file_content_overflowed: 'The file content overflowed (The maximum length `{max}` bytes)',
    table_empty: 'Request file format may be wrong',
    table_unknown_titles:
      'No column of the first row is known here. Begin with the template, and keep its titles.',
    table_doubled_title: 'Parse file error: the column "{title}" is there twice.',
    table_too_wide: 'Parse file error: there are more than {max} columns.',
    table_too_long: 'Parse file error: there are more than {max} rows. Import them in parts.',
    table_too_large: 'Parse file error: the file holds too much once it is unpacked. Import it in parts.',
    table_encoding: 'Parse file error: the characters cannot be read. Save the file as CSV UTF-8.',
    table_open_quote:
      'Parse file error: a quotation mark is never closed. What follows it cannot be told apart.',
    table_not_csv: 'Parse file error: this is a workbook, not a csv file. Name it .xlsx, or save it as CSV.',
    table_not_xlsx:
      'Parse file error: this is not an xlsx file. Name it .csv if it is one, or save it as .xlsx.',
    table_protected:
      'Parse file error: the workbook is of an older kind (.xls), or behind a password. Save it as .xlsx without one.',
    table_broken: 'Parse file error: the workbook is damaged. Open it, and save it anew as .xlsx.',
  },
  zh: {
    file_content_overflowed: '文件内容太大（最大长度 `{max}` 字节）',
    table_empty: '上传的文件格式错误或其它类型资源的文件',
    table_unknown_titles: '首行中没有可识别的列。请从模板开始，并保留其标题。',
    table_doubled_title: '解析文件错误：列“{title}”出现了两次。',
    table_too_wide: '解析文件错误：超过 {max} 列。',
    table_too_long: '解析文件错误：超过 {max} 行。请分批导入。',
    table_too_large: '解析文件错误：文件解压后内容过多。请分批导入。',
    table_encoding: '解析文件错误：无法识别字符编码。请将文件保存为 CSV UTF-8。',
    table_open_quote: '解析文件错误：有一个引号没有闭合，其后的内容无法区分。',
    table_not_csv: '解析文件错误：这是工作簿，不是 csv 文件。请将其命名为 .xlsx，或另存为 CSV。',
    table_not_xlsx: '解析文件错误：这不是 xlsx 文件。如果是 csv，请将其命名为 .csv，或另存为 .xlsx。',
    table_protected: '解析文件错误：工作簿是旧格式（.xls）或带有密码。请另存为不带密码的 .xlsx。',
    table_broken: '解析文件错误：工作簿已损坏。请打开后重新保存为 .xlsx。',
  },
  ja: {
    file_content_overflowed: 'ファイルの内容が大きすぎます（最大長 `{max}` バイト）',
    table_empty: 'リクエストファイルの形式が間違っている可能性があります',
    table_unknown_titles:
      '先頭行に認識できる列がありません。テンプレートから始め、その見出しを残してください。',
    table_doubled_title: 'ファイルの解析エラー: 列「{title}」が 2 回あります。',
    table_too_wide: 'ファイルの解析エラー: 列が {max} を超えています。',
    table_too_long: 'ファイルの解析エラー: 行が {max} を超えています。分割してインポートしてください。',
    table_too_large: 'ファイルの解析エラー: 展開後の内容が多すぎます。分割してインポートしてください。',
    table_encoding: 'ファイルの解析エラー: 文字を読み取れません。CSV UTF-8 で保存してください。',
    table_open_quote: 'ファイルの解析エラー: 閉じられていない引用符があり、それ以降を区別できません。',
    table_not_csv:
      'ファイルの解析エラー: csv ではなくブックです。名前を .xlsx にするか、CSV として保存してください。',
    table_not_xlsx:
      'ファイルの解析エラー: xlsx ファイルではありません。csv なら名前を .csv にするか、.xlsx として保存してください。',
    table_protected:
      'ファイルの解析エラー: 古い形式（.xls）またはパスワード付きのブックです。パスワードなしの .xlsx で保存してください。',
    table_broken: 'ファイルの解析エラー: ブックが壊れています。開いて .xlsx で保存し直してください。',
  },
})
