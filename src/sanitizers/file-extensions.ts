const media =
  'jpg jpeg jpe gif png bmp tiff tif webp avif ico heic heif heics heifs asf asx wmv wmx wm avi divx flv mov qt mpeg mpg ' +
  'mpe mp4 m4v ogv webm mkv 3gp 3gpp 3g2 3gp2 mp3 m4a m4b aac ra ram wav x-wav ogg oga flac mid midi wma wax mka'
const documents =
  'txt asc c cc h srt csv tsv ics rtx css vtt dfxp rtf pdf class tar zip gz gzip rar 7z psd xcf doc pot pps ppt wri xla ' +
  'xls xlt xlw mdb mpp docx docm dotx dotm xlsx xlsm xlsb xltx xltm xlam pptx pptm ppsx ppsm potx potm ppam sldx sldm ' +
  'onetoc onetoc2 onetmp onepkg oxps xps odt odp ods odg odc odb odf wp wpd key numbers pages'

/** The file name extensions that WordPress allows for uploads by every user who may upload. */
export const allowedExtensions: ReadonlySet<string> = new Set(`${media} ${documents}`.split(' '))

/**
 * The file name extensions that WordPress knows but removes from the allowed ones: `swf` and `exe` for every user, `htm`, `html`
 * and `js` for users without `unfiltered_html`.
 */
export const restrictedExtensions: ReadonlySet<string> = new Set(['htm', 'html', 'js', 'swf', 'exe'])
